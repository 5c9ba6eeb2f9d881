use serde::de::DeserializeOwned;

use crate::Failure;

/// Reads a metric's configuration from JSON text. [`metric!`](crate::metric)
/// calls it; it is public so that a metric's tests can call it too.
///
/// # Errors
///
/// The text doesn't deserialise into `Config`; the message names the key.
///
/// ```
/// #[derive(serde::Deserialize, Debug)]
/// #[serde(deny_unknown_fields)]
/// struct Config {
///     field: String,
/// }
///
/// let failure = weighbridge_metric::from_json::<Config>(r#"{"field": 3}"#).unwrap_err();
/// assert_eq!(
///     failure.message,
///     "configuration key `field`: invalid type: integer `3`, expected a string: \
///      correct its value",
/// );
/// ```
pub fn from_json<Config: DeserializeOwned>(json: &str) -> Result<Config, Failure> {
    // The path to a mistake costs time, so it is looked for only after one.
    serde_json::from_str(json).map_err(|error| refusal::<Config>(json, &error))
}

fn refusal<Config: DeserializeOwned>(json: &str, error: &serde_json::Error) -> Failure {
    let cause = without_position(error);
    if cause.starts_with("unknown field `") {
        return Failure::internal(format!(
            "configuration: {cause}: remove the key or correct its name"
        ));
    }
    if cause.starts_with("missing field `") {
        return Failure::internal(format!("configuration: {cause}: add the key"));
    }
    if !error.is_data() {
        return Failure::internal(format!(
            "configuration isn't JSON: {error}: correct the text"
        ));
    }
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let path = match serde_path_to_error::deserialize::<_, Config>(&mut deserializer) {
        Err(error) => error.path().to_string(),
        Ok(_) => ".".to_owned(),
    };
    match path.as_str() {
        "." => Failure::internal(format!(
            "configuration: {cause}: give a JSON object with the metric's options"
        )),
        key => Failure::configuration(key, format!("{cause}: correct its value")),
    }
}

/// A configuration is short and often written on a command line, where line
/// and column help nobody; the key does.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&position).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, Debug, Default)]
    #[serde(deny_unknown_fields, default)]
    struct Config {
        field: String,
        limits: Vec<u8>,
    }

    fn check(json: &str, expected: &str) {
        let failure = from_json::<Config>(json).expect_err(json);
        assert_eq!(failure.message, expected, "{json}");
        assert_eq!(failure.kind, None);
    }

    #[test]
    fn a_wrong_configuration_names_the_key_and_the_remedy() {
        assert!(from_json::<Config>("{}").is_ok());
        check(
            r#"{"fild":"a"}"#,
            "configuration: unknown field `fild`, expected `field` or `limits`: \
             remove the key or correct its name",
        );
        check(
            r#"{"limits":[1,300]}"#,
            "configuration key `limits[1]`: invalid value: integer `300`, expected u8: \
             correct its value",
        );
        check(
            "3",
            "configuration: invalid type: integer `3`, expected struct Config: \
             give a JSON object with the metric's options",
        );
        check(
            r#"{"field":"#,
            "configuration isn't JSON: EOF while parsing a value at line 1 column 9: \
             correct the text",
        );
    }
}
