//! A part of a run file that is passed on as it stands.

use std::fmt;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// JSON text that reads as a `T`. Written again it has the same bytes, so
/// what a newer version put into it isn't lost.
pub struct Stored<T> {
    text: Box<RawValue>,
    reads_as: PhantomData<fn() -> T>,
}

impl<T: Serialize> Stored<T> {
    /// `value` as it will stand in a file.
    pub fn new(value: &T) -> Stored<T> {
        Stored {
            text: serde_json::value::to_raw_value(value)
                .expect("plain data with string keys is JSON"),
            reads_as: PhantomData,
        }
    }
}

impl<T: DeserializeOwned> Stored<T> {
    /// The value.
    ///
    /// # Errors
    ///
    /// The text is JSON, but not of a `T`.
    pub fn read(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.text.get())
    }
}

impl<T> Serialize for Stored<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl<'de, T> Deserialize<'de> for Stored<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Stored<T>, D::Error> {
        Ok(Stored {
            text: Box::deserialize(deserializer)?,
            reads_as: PhantomData,
        })
    }
}

impl<T> Clone for Stored<T> {
    fn clone(&self) -> Stored<T> {
        Stored {
            text: self.text.clone(),
            reads_as: PhantomData,
        }
    }
}

impl<T> PartialEq for Stored<T> {
    fn eq(&self, other: &Stored<T>) -> bool {
        self.text.get() == other.text.get()
    }
}

impl<T> fmt::Debug for Stored<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.get())
    }
}
