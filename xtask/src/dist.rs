//! The folder that the gateway serves (`target/dist`): names with hashes, compressed copies, manifest. It is written as a whole.
//!
//! A release is collected in memory, written into a separate folder and then renamed, so that nobody reads
//! an incomplete dist.

use anyhow::{Context, Result};
use base64::Engine;
use flate2::Compression;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256, Sha384};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// The files of a release by their path below `target/dist`.
#[derive(Default)]
pub(crate) struct Release {
    files: BTreeMap<String, File>,
}

struct File {
    bytes: Vec<u8>,
    twins: CompressedCopies,
}

/// Whether a file is served as it is, and so has compressed copies beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompressedCopies {
    Compressed,
    /// Faster to make and a little larger: for what is large and loaded once.
    QuicklyCompressed,
    None,
}

impl Release {
    /// Adds a file.
    pub(crate) fn add(
        &mut self,
        path: impl Into<String>,
        bytes: impl Into<Vec<u8>>,
        twins: CompressedCopies,
    ) {
        let bytes = bytes.into();
        self.files.insert(path.into(), File { bytes, twins });
    }

    /// The name of this set of files: the version, and a hash of all paths and contents.
    pub(crate) fn name(&self, version: &str) -> String {
        let mut hasher = Sha256::new();
        for (path, file) in &self.files {
            hasher.update(format!("{path} {}\n", hex_digest(&file.bytes)));
        }
        format!("{version}-{}", &hex(&hasher.finalize())[..8])
    }

    /// Writes everything into a folder beside `dir`, which then replaces `dir`.
    pub(crate) fn write(&self, dir: &Path) -> Result<()> {
        let fresh = dir.with_extension("new");
        let stale = dir.with_extension("old");
        for leftover in [&fresh, &stale] {
            if leftover.exists() {
                std::fs::remove_dir_all(leftover)?;
            }
        }
        for (path, file) in &self.files {
            write_file(&fresh.join(path), &file.bytes)?;
        }
        self.write_twins(&fresh)?;
        if dir.exists() {
            std::fs::rename(dir, &stale)?;
        }
        std::fs::rename(&fresh, dir)
            .with_context(|| format!("cannot put {} in place", dir.display()))?;
        if stale.exists() {
            std::fs::remove_dir_all(&stale)?;
        }
        Ok(())
    }

    fn write_twins(&self, dir: &Path) -> Result<()> {
        let served = self
            .files
            .iter()
            .filter(|(_, file)| file.twins != CompressedCopies::None);
        std::thread::scope(|scope| {
            let writers: Vec<_> = served
                .map(|(path, file)| {
                    scope.spawn(move || -> Result<()> {
                        let brotli = match file.twins {
                            CompressedCopies::QuicklyCompressed => brotli_at(&file.bytes, 9, 22)?,
                            _ => brotli(&file.bytes)?,
                        };
                        write_file(&dir.join(format!("{path}.br")), &brotli)?;
                        write_file(&dir.join(format!("{path}.gz")), &gzip(&file.bytes)?)
                    })
                })
                .collect();
            for writer in writers {
                // A panic of the thread is a bug of this program, so it is passed on.
                writer
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            }
            Ok(())
        })
    }
}

/// `manifest.json`: what the gateway needs to know about a release.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    /// Version and content hash.
    pub(crate) release: String,
    /// The scripts that merchants load, by file name.
    pub(crate) scripts: BTreeMap<String, Script>,
    /// Paths of the files that the shim and the frames load when needed.
    pub(crate) lazy: Vec<String>,
    /// Path of the script that keeps a form's pass on the gateway.
    pub(crate) form_pass: String,
    /// Path of the hosted page's own script on the gateway.
    pub(crate) hosted: String,
    /// Path of the widget's JavaScript on the gateway.
    pub(crate) glue: String,
    /// Path of the widget's WebAssembly on the gateway.
    pub(crate) wasm: String,
    /// Paths of the parts of the WebAssembly that come after the form is live, by name.
    pub(crate) chunks: BTreeMap<String, String>,
    /// The frame pages by name.
    pub(crate) pages: BTreeMap<String, FramePage>,
}

/// Paths and integrity hash of a script for merchants.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Script {
    pub(crate) path: String,
    pub(crate) release_path: String,
    pub(crate) integrity: String,
}

/// One frame page in all languages.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FramePage {
    /// Hashes of its inline scripts, for its Content-Security-Policy.
    pub(crate) script: Vec<String>,
    /// Hashes of its inline styles.
    pub(crate) style: Vec<String>,
    /// File below the dist, by language code.
    pub(crate) files: BTreeMap<String, String>,
}

impl Manifest {
    /// Reads the manifest of a finished dist.
    pub(crate) fn read(dist: &Path) -> Result<Manifest> {
        let path = dist.join("manifest.json");
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("{} is missing: run `cargo xtask build`", path.display()))?;
        Ok(serde_json::from_str(&text)?)
    }
}

/// SHA-256 as 64 hex digits.
pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The part of a file's hash in its name: 16 hex digits.
pub(crate) fn short_digest(bytes: &[u8]) -> String {
    hex_digest(bytes)[..16].to_owned()
}

/// A script's hash for the `integrity` attribute.
pub(crate) fn integrity(bytes: &[u8]) -> String {
    let encoded = base64::engine::general_purpose::STANDARD.encode(Sha384::digest(bytes));
    format!("sha384-{encoded}")
}

/// A shorter hash, for files that only our own scripts name.
pub(crate) fn short_integrity(bytes: &[u8]) -> String {
    let encoded = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(bytes));
    format!("sha256-{encoded}")
}

/// Brotli at its best: quality 11, window 24. For files that are compressed once and served often.
pub(crate) fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    brotli_at(bytes, 11, 24)
}

/// Brotli with the quality and window of a server that compresses at each request.
pub(crate) fn brotli_at(bytes: &[u8], quality: i32, window: i32) -> Result<Vec<u8>> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality,
        lgwin: window,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut compressed, &parameters)?;
    Ok(compressed)
}

/// Gzip at level 9, without a time stamp.
pub(crate) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir)?;
    }
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn digests_are_the_known_ones() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex_digest(b"abc"), abc);
        assert_eq!(short_digest(b"abc"), "ba7816bf8f01cfea");
        // printf abc | openssl dgst -sha384 -binary | base64
        assert_eq!(
            integrity(b"abc"),
            "sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn"
        );
    }

    #[test]
    fn compressed_twins_hold_the_same_bytes() -> Result<()> {
        let text = b"card form ".repeat(200);
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(&gzip(&text)?[..]).read_to_end(&mut plain)?;
        assert_eq!(plain, text);
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut &brotli(&text)?[..], &mut plain)?;
        assert_eq!(plain, text);
        Ok(())
    }

    #[test]
    fn release_name_follows_every_path_and_byte() {
        let name = |path: &str, bytes: &str| {
            let mut release = Release::default();
            release.add(path, bytes, CompressedCopies::None);
            release.name("1.0.0")
        };
        assert_eq!(name("a", "b"), name("a", "b"));
        assert_ne!(name("a", "b"), name("a", "c"));
        assert_ne!(name("a", "b"), name("c", "b"));
        assert_eq!(name("a", "b").len(), "1.0.0-12345678".len());
    }

    #[test]
    fn writing_replaces_the_whole_folder() -> Result<()> {
        let base = std::env::temp_dir().join(format!("payframe-dist-{}", std::process::id()));
        let dir = base.join("dist");
        let mut first = Release::default();
        first.add("assets/old.js", "old", CompressedCopies::Compressed);
        first.write(&dir)?;
        let mut second = Release::default();
        second.add("assets/new.js", "new", CompressedCopies::Compressed);
        second.add("frame/form.eng.html", "page", CompressedCopies::None);
        second.write(&dir)?;
        let files = crate::project::files_below(&dir)?;
        std::fs::remove_dir_all(&base)?;
        let names: Vec<_> = files.iter().map(|path| path.to_string_lossy()).collect();
        assert_eq!(
            names,
            [
                "assets/new.js",
                "assets/new.js.br",
                "assets/new.js.gz",
                "frame/form.eng.html"
            ]
        );
        Ok(())
    }
}
