//! Identity by content: canonical JSON, digests and the contract of a metric.

use serde::Serialize;
use serde_json::{Number, Value};
use sha2::{Digest, Sha256};

/// An integer that RFC 8785 would write with other digits, since it has only
/// doubles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("number `{0}` can't be held exactly: write it as a string")]
pub struct InexactNumber(pub String);

/// What a measurement depends on besides the test case.
///
/// Threshold, strict, limits, jobs, paths and the host's version are left out
/// on purpose: none of them changes a measurement.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContractParts<'a> {
    /// The exported interface with its exact version,
    /// `weighbridge:metric/metric@0.1.0`.
    pub interface: &'a str,
    /// `sha256:` and the hex of the component's bytes.
    pub metric: &'a str,
    /// The configuration, a JSON object.
    pub config: &'a Value,
    /// Name and version of the virtual world the component runs in; `None`
    /// for a component that imports nothing but `log`.
    pub environment: Option<&'a str>,
    /// What the judge is, for a judged metric.
    pub judge: Option<&'a Value>,
}

impl ContractParts<'_> {
    /// The contract's digest, `sha256:` and hex.
    ///
    /// # Errors
    ///
    /// The configuration holds an integer that a double can't represent.
    pub fn digest(&self) -> Result<String, InexactNumber> {
        digest(self)
    }
}

/// `value` as canonical JSON (RFC 8785).
///
/// # Errors
///
/// `value` holds an integer that a double can't represent: RFC 8785 would
/// round it, and two different values would get one digest.
pub fn canonical<T: Serialize>(value: &T) -> Result<String, InexactNumber> {
    let value = serde_json::to_value(value).expect("plain data with string keys is JSON");
    check_exact(&value)?;
    Ok(canonical_unchecked(&value))
}

/// `value`, whose integers are known to be exact, as canonical JSON.
pub(crate) fn canonical_unchecked<T: Serialize>(value: &T) -> String {
    serde_json_canonicalizer::to_string(value).expect("plain data with string keys is JSON")
}

/// `sha256:` and the hex of `value`'s canonical JSON.
///
/// # Errors
///
/// As for [`canonical`].
pub fn digest<T: Serialize>(value: &T) -> Result<String, InexactNumber> {
    Ok(digest_bytes(canonical(value)?.as_bytes()))
}

/// `sha256:` and the hex of `bytes`.
pub fn digest_bytes(bytes: &[u8]) -> String {
    finish(Sha256::new_with_prefix(bytes))
}

/// `sha256:` and the hex of everything `reader` has to give.
///
/// # Errors
///
/// Reading fails.
pub fn digest_reader(mut reader: impl std::io::Read) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 256 << 10];
    loop {
        match reader.read(&mut buffer)? {
            0 => return Ok(finish(hasher)),
            length => hasher.update(&buffer[..length]),
        }
    }
}

/// `sha256:` and the hex of what `hasher` has seen.
pub fn finish(hasher: Sha256) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let mut text = String::with_capacity(7 + 64);
    text.push_str("sha256:");
    for byte in hasher.finalize() {
        text.push(DIGITS[usize::from(byte >> 4)]);
        text.push(DIGITS[usize::from(byte & 15)]);
    }
    text
}

/// Refuses an integer that RFC 8785 would write with other digits.
pub(crate) fn check_exact(value: &Value) -> Result<(), InexactNumber> {
    match value {
        Value::Number(number) => {
            if number.is_f64() || is_written_back(number) {
                Ok(())
            } else {
                Err(InexactNumber(number.to_string()))
            }
        }
        Value::Array(items) => items.iter().try_for_each(check_exact),
        Value::Object(members) => members.values().try_for_each(check_exact),
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

/// Whether the double nearest to this integer is written with its digits.
fn is_written_back(integer: &Number) -> bool {
    const SAFE: i64 = 1 << 53;
    if integer
        .as_i64()
        .is_some_and(|value| (-SAFE..=SAFE).contains(&value))
    {
        return true;
    }
    integer.as_f64().is_some_and(|nearest| {
        let text = serde_json_canonicalizer::to_string(&nearest);
        text.is_ok_and(|text| text == integer.to_string())
    })
}
