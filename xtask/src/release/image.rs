//! The image for container runtimes: the program alone, without a distribution around it ("from scratch").
//!
//! The file holds one image twice described, as `docker save` writes it: as an OCI image layout (`index.json`), which `podman load`, `skopeo`
//! and current releases of `docker load` read, and by Docker's own `manifest.json`, for earlier ones. It runs as a user without rights, whose
//! number is that of other images of this kind.

use super::archive::{Archive, Owner};
use super::source::Source;
use super::{Machine, VERSION};
use crate::dist::{gzip, hex_digest};
use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// The name that a runtime knows the image by once it is loaded.
pub(crate) fn name() -> String {
    format!("payframe-gateway:{VERSION}")
}

/// The file that runtimes load.
pub(crate) fn archive(program: &[u8], machine: Machine, source: &Source) -> Result<Vec<u8>> {
    let layer = layer(program, source).tar("")?;
    let mut blobs = Blobs::new(source);
    let compressed = blobs.add(LAYER, gzip(&layer)?);
    let config = configuration(machine, source, &hex_digest(&layer));
    let config = blobs.add(CONFIG, serde_json::to_vec(&config)?);
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": config.descriptor,
        "layers": [compressed.descriptor],
    });
    let mut manifest = blobs
        .add(MANIFEST, serde_json::to_vec(&manifest)?)
        .descriptor;
    manifest["platform"] = json!({ "architecture": machine.architecture(), "os": "linux" });
    manifest["annotations"] = json!({
        "io.containerd.image.name": format!("docker.io/library/{}", name()),
        "org.opencontainers.image.ref.name": VERSION,
    });
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": [manifest] });
    let docker = json!([{
        "Config": config.path,
        "RepoTags": [name()],
        "Layers": [compressed.path],
    }]);
    blobs
        .archive
        .file(
            "index.json",
            0o644,
            Owner::ROOT,
            serde_json::to_vec(&index)?,
        )
        .file(
            "manifest.json",
            0o644,
            Owner::ROOT,
            serde_json::to_vec(&docker)?,
        )
        .file(
            "oci-layout",
            0o644,
            Owner::ROOT,
            r#"{"imageLayoutVersion":"1.0.0"}"#,
        )
        .tar("")
}

/// The file system that the program sees.
fn layer(program: &[u8], source: &Source) -> Archive {
    let user = USER.0;
    let passwd = format!(
        "root:x:0:0:root:/:/sbin/nologin\npayframe:x:{user}:{user}:Payframe gateway:{DATA}:/sbin/nologin\n"
    );
    let mut layer = Archive::new(source.time);
    layer
        .file("usr/bin/payframe-gateway", 0o755, Owner::ROOT, program)
        .file("etc/passwd", 0o644, Owner::ROOT, passwd)
        // Runtimes put their own in its place. Without one, nobody knows `localhost`.
        .file("etc/hosts", 0o644, Owner::ROOT, "127.0.0.1 localhost\n")
        .file(
            "etc/group",
            0o644,
            Owner::ROOT,
            format!("root:x:0:\npayframe:x:{user}:\n"),
        )
        .file(
            "usr/share/doc/payframe-gateway/copyright",
            0o644,
            Owner::ROOT,
            source.copyright.as_bytes(),
        )
        .file(
            "usr/share/doc/payframe-gateway/third-party-licences.txt",
            0o644,
            Owner::ROOT,
            source.licences.as_bytes(),
        )
        .folder("tmp", 0o1777, Owner::ROOT)
        .folder("var", 0o755, Owner::ROOT)
        .folder("var/lib", 0o755, Owner::ROOT)
        .folder(&DATA[1..], 0o700, USER);
    layer
}

fn configuration(machine: Machine, source: &Source, layer: &str) -> Value {
    let seconds = |seconds: u64| seconds * 1_000_000_000;
    json!({
        "architecture": machine.architecture(),
        "os": "linux",
        "created": source.date,
        "config": {
            "User": format!("{0}:{0}", USER.0),
            "ExposedPorts": { "8787/tcp": {} },
            "Env": [
                "PATH=/usr/bin",
                // Everybody: which of the host's addresses lead here is what the runtime is told.
                "PAYFRAME_LISTEN=0.0.0.0:8787",
                format!("PAYFRAME_DATA={DATA}"),
            ],
            "Entrypoint": [PROGRAM],
            "WorkingDir": DATA,
            "Volumes": { DATA: {} },
            "StopSignal": "SIGTERM",
            "Healthcheck": {
                "Test": ["CMD", PROGRAM, "health"],
                "Interval": seconds(30),
                "Timeout": seconds(6),
                "StartPeriod": seconds(30),
                "Retries": 3,
            },
            "Labels": {
                "org.opencontainers.image.title": "payframe-gateway",
                "org.opencontainers.image.description": "A payment gateway with its card form.",
                "org.opencontainers.image.version": VERSION,
                "org.opencontainers.image.revision": source.revision,
                "org.opencontainers.image.created": source.date,
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{layer}")] },
        "history": [{ "created": source.date, "created_by": "cargo xtask release" }],
    })
}

/// What an image runs.
pub(crate) struct Entry {
    /// User and group, as numbers.
    pub(crate) user: String,
    pub(crate) command: Vec<String>,
    /// Names and values of variables.
    pub(crate) environment: Vec<(String, String)>,
}

/// Unpacks the layer of an image into a folder, with its owners, which only root can do.
pub(crate) fn unpack(image: &[u8], root: &Path) -> Result<Entry> {
    let mut files = BTreeMap::new();
    for entry in tar::Archive::new(image).entries()? {
        let mut entry = entry?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        files.insert(path, bytes);
    }
    let file = |path: &str| {
        files
            .get(path)
            .with_context(|| format!("the image has no {path}"))
    };
    let [docker]: [Docker; 1] = serde_json::from_slice(file("manifest.json")?)?;
    for layer in &docker.layers {
        let mut layer = tar::Archive::new(GzDecoder::new(&file(layer)?[..]));
        layer.set_preserve_ownerships(true);
        layer.set_preserve_permissions(true);
        layer.unpack(root)?;
    }
    let Configured { config } = serde_json::from_slice(file(&docker.config)?)?;
    let variable = |variable: &String| {
        let (name, value) = variable.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    };
    Ok(Entry {
        user: config.user,
        command: config.entrypoint,
        environment: config.env.iter().filter_map(variable).collect(),
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Docker {
    config: String,
    layers: Vec<String>,
}

#[derive(Deserialize)]
struct Configured {
    config: Config,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Config {
    user: String,
    env: Vec<String>,
    entrypoint: Vec<String>,
}

/// The content of an image, by digest.
struct Blobs {
    archive: Archive,
}

struct Blob {
    path: String,
    descriptor: Value,
}

impl Blobs {
    fn new(source: &Source) -> Blobs {
        Blobs {
            archive: Archive::new(source.time),
        }
    }

    fn add(&mut self, media_type: &str, bytes: Vec<u8>) -> Blob {
        let digest = hex_digest(&bytes);
        let path = format!("blobs/sha256/{digest}");
        let descriptor = json!({
            "mediaType": media_type,
            "digest": format!("sha256:{digest}"),
            "size": bytes.len(),
        });
        self.archive.file(&path, 0o644, Owner::ROOT, bytes);
        Blob { path, descriptor }
    }
}

/// The user without rights that other images of this kind have, too.
const USER: Owner = Owner(65_532);
const PROGRAM: &str = "/usr/bin/payframe-gateway";
const DATA: &str = "/var/lib/payframe";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

#[cfg(test)]
mod tests;
