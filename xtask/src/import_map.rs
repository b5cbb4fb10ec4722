//! The import map of a frame page: the hash of each module that its scripts import. Browsers refuse a module with another hash, and under
//! `Integrity-Policy`, which the gateway sends with every page, one without.
//!
//! Browsers that do not know `integrity` in an import map ignore it. Texts are not in the map, because they are data.

use crate::dist::short_integrity;
use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::BTreeMap;

/// The modules of a page: hashes by path. SHA-256, because the map is in the page, which comes before everything else.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct ImportMap {
    integrity: BTreeMap<String, String>,
}

impl ImportMap {
    /// Adds a module.
    pub(crate) fn add(&mut self, path: &str, module: &[u8]) {
        self.integrity
            .insert(path.to_owned(), short_integrity(module));
    }

    /// Adds a module that is asked for under another address after each failure: with one more question mark.
    pub(crate) fn add_retried(&mut self, path: &str, module: &[u8]) {
        for failures in 0..ADDRESSES {
            self.add(&format!("{path}{}", "?".repeat(failures)), module);
        }
    }

    /// The hash of the module with this path.
    pub(crate) fn hash(&self, path: &str) -> Result<&str> {
        let hash = self.integrity.get(path);
        hash.map(String::as_str)
            .with_context(|| format!("the import map has no `{path}`"))
    }

    /// What the page's element holds.
    pub(crate) fn to_json(&self) -> Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}

/// As in `www/frame/bootstrap.js`.
const ADDRESSES: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_names_the_hash_of_each_address() -> Result<()> {
        let mut map = ImportMap::default();
        map.add("/assets/a.js", b"abc");
        // printf abc | openssl dgst -sha256 -binary | base64
        let hash = "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
        assert_eq!(
            map.to_json()?,
            format!(r#"{{"integrity":{{"/assets/a.js":"{hash}"}}}}"#)
        );
        map.add_retried("/assets/b.js", b"abc");
        assert_eq!(map.hash("/assets/b.js???????")?, hash);
        assert!(map.hash("/assets/b.js????????").is_err());
        Ok(())
    }

    #[test]
    fn loader_asks_under_as_many_addresses_as_the_map_has() -> Result<()> {
        let www = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../www");
        let loader = std::fs::read_to_string(www.join("frame/bootstrap.js"))?;
        assert!(loader.contains(&format!("const ADDRESSES = {ADDRESSES};")));
        Ok(())
    }
}
