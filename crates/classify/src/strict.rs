//! JSON that two readers cannot understand differently: keys that stand twice in one object are refused.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Error, Map, Number, Value};

/// Parses the one JSON value in a text; duplicate keys are refused.
///
/// # Errors
/// If it holds none, more than one, or an object with a duplicate key.
pub fn strict_from_str(text: &str) -> Result<Value, Error> {
    // The depth is bounded by the deserializer itself, which stops at 128 levels.
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Strict.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value))
}

/// As [`strict_from_str`], for bytes, which have to be UTF-8.
///
/// # Errors
/// As [`strict_from_str`].
pub fn strict_from_slice(bytes: &[u8]) -> Result<Value, Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    Strict.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value))
}

/// Builds a value and refuses keys that stand twice.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = elements.next_element_seed(Strict)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(Strict)?;
            if fields.insert(key, value).is_some() {
                return Err(A::Error::custom("a key stands twice in one object"));
            }
        }
        Ok(Value::Object(fields))
    }
}
