//! The JSON schema of a type that is written as JSON: what its own derived reader asks for.
//!
//! The wire types derive `Serialize` and `Deserialize` from one declaration. Here a type is read from a source that
//! has no data: it notes what it is asked for (a struct's members, a text, a list) and answers with the least that
//! will do. So names, optional members and nesting are those of the type, and no second description can differ.

use serde::de::value::{Error, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A type that is written as JSON.
#[derive(Clone, Copy)]
pub(crate) struct ResponseSchema {
    /// Adds the schemas of the type and of what it is made of, by their names, and answers a schema that refers to it.
    pub(crate) describe: fn(&mut Map<String, Value>) -> Value,
}

impl ResponseSchema {
    /// The shape of a type.
    pub(crate) const fn of<T: DeserializeOwned>() -> ResponseSchema {
        ResponseSchema {
            describe: describe::<T>,
        }
    }
}

/// A member, by the names of its struct and of itself.
type Place = (&'static str, &'static str);

fn describe<T: DeserializeOwned>(schemas: &mut Map<String, Value>) -> Value {
    let notes = Notes::default();
    let whole = read::<T>(&notes, None);
    // Members that a value can be read without are those that may be missing.
    let required: BTreeSet<Place> = notes
        .places
        .borrow()
        .iter()
        .copied()
        .filter(|place| read::<T>(&Notes::default(), Some(*place)).is_err())
        .collect();
    for (name, schema) in notes.schemas.borrow().iter() {
        let mut schema = schema.clone();
        let names: Vec<&str> = required
            .iter()
            .filter(|(of, _)| of == name)
            .map(|(_, member)| *member)
            .collect();
        if !names.is_empty() {
            schema["required"] = json!(names);
        }
        schemas.insert(name.clone(), schema);
    }
    // `null` where the type can't be described; a test finds it.
    whole.unwrap_or_default()
}

fn read<T: DeserializeOwned>(notes: &Notes, without: Option<Place>) -> Result<Value, Error> {
    let mut schema = Value::Null;
    T::deserialize(Describer {
        notes,
        without,
        schema: &mut schema,
    })?;
    Ok(schema)
}

/// What was noted of named types.
#[derive(Default)]
struct Notes {
    schemas: RefCell<Map<String, Value>>,
    places: RefCell<BTreeSet<Place>>,
}

/// The source without data, at one place.
struct Describer<'a> {
    notes: &'a Notes,
    /// A member that is not there.
    without: Option<Place>,
    /// What is asked for here.
    schema: &'a mut Value,
}

impl Describer<'_> {
    fn note(self, schema: Value) {
        *self.schema = schema;
    }

    /// A place inside this one.
    fn inside<'b>(&'b self, schema: &'b mut Value) -> Describer<'b> {
        Describer {
            notes: self.notes,
            without: self.without,
            schema,
        }
    }
}

macro_rules! whole_numbers {
    ($($method:ident $visit:ident $schema:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.note($schema);
            visitor.$visit(0)
        }
    )*};
}

impl<'de> Deserializer<'de> for Describer<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.note(json!({ "description": "Any JSON." }));
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.note(json!({ "type": "boolean" }));
        visitor.visit_bool(false)
    }

    whole_numbers! {
        deserialize_u8 visit_u8 json!({ "type": "integer", "minimum": 0, "maximum": u8::MAX });
        deserialize_u16 visit_u16 json!({ "type": "integer", "minimum": 0, "maximum": u16::MAX });
        deserialize_u32 visit_u32 json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
        deserialize_u64 visit_u64 json!({ "type": "integer", "minimum": 0 });
        deserialize_i32 visit_i32 json!({ "type": "integer" });
        deserialize_i64 visit_i64 json!({ "type": "integer" });
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.note(json!({ "type": "string" }));
        visitor.visit_str("")
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut inner = Value::Null;
        let value = visitor.visit_some(self.inside(&mut inner))?;
        // What has no value is left out of every answer: `null` is not among the schemas.
        self.note(inner);
        Ok(value)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut items = Value::Null;
        let value = visitor.visit_seq(OneElement(Some(self.inside(&mut items))))?;
        self.note(json!({ "type": "array", "items": items }));
        Ok(value)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut values = Value::Null;
        let value = visitor.visit_map(OneEntry(Some(self.inside(&mut values))))?;
        self.note(json!({ "type": "object", "additionalProperties": values }));
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let mut properties = Map::new();
        let members = Members {
            name,
            left: fields,
            place: &self,
            properties: &mut properties,
        };
        let value = visitor.visit_map(members)?;
        self.notes.schemas.borrow_mut().insert(
            name.to_owned(),
            json!({ "type": "object", "properties": properties }),
        );
        self.note(reference(name));
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let first = variants.first().copied().unwrap_or_default();
        let schema = json!({ "type": "string", "enum": variants });
        self.notes
            .schemas
            .borrow_mut()
            .insert(name.to_owned(), schema);
        self.note(reference(name));
        // Variants with data are no text: their readers refuse this, and a test tells.
        visitor.visit_enum(StrDeserializer::new(first))
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i128 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// A list with one element.
struct OneElement<'a>(Option<Describer<'a>>);

impl<'de> SeqAccess<'de> for OneElement<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        self.0
            .take()
            .map(|element| seed.deserialize(element))
            .transpose()
    }
}

/// A map with one entry.
struct OneEntry<'a>(Option<Describer<'a>>);

impl<'de> MapAccess<'de> for OneEntry<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        if self.0.is_none() {
            return Ok(None);
        }
        seed.deserialize(StrDeserializer::new("name")).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let value = self.0.take().ok_or_else(|| Error::custom("one entry"))?;
        seed.deserialize(value)
    }
}

/// The members of a struct, one after the other.
struct Members<'a, 'b> {
    name: &'static str,
    left: &'static [&'static str],
    place: &'a Describer<'b>,
    properties: &'a mut Map<String, Value>,
}

impl<'de> MapAccess<'de> for Members<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        if let Some((next, after)) = self.left.split_first()
            && self.place.without == Some((self.name, next))
        {
            self.left = after;
        }
        match self.left.first() {
            Some(next) => seed.deserialize(StrDeserializer::new(next)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (next, after) = self
            .left
            .split_first()
            .ok_or_else(|| Error::custom("a member"))?;
        self.left = after;
        self.place
            .notes
            .places
            .borrow_mut()
            .insert((self.name, next));
        let mut schema = Value::Null;
        let value = seed.deserialize(self.place.inside(&mut schema))?;
        self.properties.insert((*next).to_owned(), schema);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    // Only read from nothing.
    #[allow(dead_code)]
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Whole {
        order_id: String,
        #[serde(default)]
        note: Option<String>,
        nullable: Option<Part>,
        #[serde(default)]
        list: Vec<Part>,
        free: BTreeMap<String, Value>,
    }

    #[allow(dead_code)]
    #[derive(Deserialize)]
    struct Part {
        #[serde(rename = "type")]
        kind: Kind,
        count: u8,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    enum Kind {
        OneThing,
        #[allow(dead_code)]
        Other,
    }

    #[test]
    fn a_schema_is_what_the_type_reads() {
        let mut schemas = Map::new();
        let whole = (ResponseSchema::of::<Whole>().describe)(&mut schemas);
        assert_eq!(whole, json!({ "$ref": "#/components/schemas/Whole" }));
        let part = json!({ "$ref": "#/components/schemas/Part" });
        assert_eq!(
            schemas["Whole"],
            json!({ "type": "object", "required": ["free", "orderId"], "properties": {
                "orderId": { "type": "string" },
                "note": { "type": "string" },
                "nullable": part,
                "list": { "type": "array", "items": part },
                "free": { "type": "object", "additionalProperties": { "description": "Any JSON." } },
            } })
        );
        assert_eq!(
            schemas["Part"],
            json!({ "type": "object", "required": ["count", "type"], "properties": {
                "type": { "$ref": "#/components/schemas/Kind" },
                "count": { "type": "integer", "minimum": 0, "maximum": 255 },
            } })
        );
        assert_eq!(
            schemas["Kind"],
            json!({ "type": "string", "enum": ["ONE_THING", "OTHER"] })
        );
    }
}
