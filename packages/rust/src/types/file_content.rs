//! A file of evidence with its bytes, which are base64 on the wire. The other types of answers are made from the gateway's document.

use crate::types::answers::DisputeFile;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A file of evidence, with its content.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DisputeFileContent {
    /// The file.
    pub file: DisputeFile,
    /// Its bytes.
    #[serde(serialize_with = "write", deserialize_with = "read")]
    pub content: Vec<u8>,
}

impl fmt::Debug for DisputeFileContent {
    /// Without the bytes: evidence is nothing for logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DisputeFileContent")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

fn write<S: Serializer>(content: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(content))
}

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    STANDARD.decode(text).map_err(D::Error::custom)
}
