//! An image is read back as a runtime reads it: from the index by digests to the files.

use super::*;
use anyhow::bail;

const SCRIPT: &[u8] = b"a program";

type Files = BTreeMap<String, (u64, u32, Vec<u8>)>;

/// The files of an archive by path, with owner and mode.
fn read(bytes: &[u8]) -> Result<Files> {
    let mut files = BTreeMap::new();
    for entry in tar::Archive::new(bytes).entries()? {
        let mut entry = entry?;
        let path = String::from_utf8(entry.path_bytes().into_owned())?;
        let (owner, mode) = (entry.header().uid()?, entry.header().mode()?);
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        files.insert(path, (owner, mode, bytes));
    }
    Ok(files)
}

/// What a descriptor names, whose digest and size have to be right.
fn blob(files: &Files, descriptor: &Value) -> Result<Vec<u8>> {
    let digest = descriptor["digest"].as_str().context("no digest")?;
    let path = format!("blobs/{}", digest.replace(':', "/"));
    let (_, _, bytes) = files.get(&path).with_context(|| format!("no {path}"))?;
    assert_eq!(format!("sha256:{}", hex_digest(bytes)), digest);
    assert_eq!(descriptor["size"], bytes.len());
    Ok(bytes.clone())
}

struct Loaded {
    config: Value,
    layer: Files,
}

/// Loads an image by its index, and compares with it what the other description says.
fn load(image: &[u8]) -> Result<Loaded> {
    let files = read(image)?;
    let json = |path: &str| -> Result<Value> {
        let (_, _, bytes) = files.get(path).with_context(|| format!("no {path}"))?;
        Ok(serde_json::from_slice(bytes)?)
    };
    assert_eq!(json("oci-layout")?["imageLayoutVersion"], "1.0.0");
    let index = json("index.json")?;
    let manifest: Value = serde_json::from_slice(&blob(&files, &index["manifests"][0])?)?;
    let config: Value = serde_json::from_slice(&blob(&files, &manifest["config"])?)?;
    let [layer] = manifest["layers"]
        .as_array()
        .context("no layers")?
        .as_slice()
    else {
        bail!("there is one layer");
    };
    let mut unpacked = Vec::new();
    GzDecoder::new(&blob(&files, layer)?[..]).read_to_end(&mut unpacked)?;
    let diff = format!("sha256:{}", hex_digest(&unpacked));
    assert_eq!(config["rootfs"]["diff_ids"], json!([diff]));
    let path = |descriptor: &Value| {
        let digest = descriptor["digest"].as_str().unwrap_or_default();
        format!("blobs/{}", digest.replace(':', "/"))
    };
    assert_eq!(
        json("manifest.json")?,
        json!([{
            "Config": path(&manifest["config"]),
            "RepoTags": [name()],
            "Layers": [path(layer)],
        }])
    );
    Ok(Loaded {
        config,
        layer: read(&unpacked)?,
    })
}

#[test]
fn an_image_runs_the_program_as_a_user_without_rights_and_asks_its_health() -> Result<()> {
    let Loaded { config, layer } = load(&archive(SCRIPT, Machine::Arm, &Source::sample())?)?;
    assert_eq!(
        (&config["architecture"], &config["os"]),
        (&json!("arm64"), &json!("linux"))
    );
    assert_eq!(config["created"], "2025-11-26T06:13:20Z");
    let config = &config["config"];
    assert_eq!(config["User"], "65532:65532");
    assert_eq!(config["Entrypoint"], json!([PROGRAM]));
    assert_eq!(
        config["Healthcheck"]["Test"],
        json!(["CMD", PROGRAM, "health"])
    );
    assert_eq!(config["ExposedPorts"], json!({ "8787/tcp": {} }));
    assert_eq!(
        config["Labels"]["org.opencontainers.image.version"],
        VERSION
    );
    let (owner, mode, bytes) = &layer[&PROGRAM[1..]];
    assert_eq!((*owner, *mode, &bytes[..]), (0, 0o755, SCRIPT));
    let (owner, mode, _) = &layer[&format!("{}/", &DATA[1..])];
    assert_eq!((*owner, *mode), (65_532, 0o700));
    // The mode of a gateway is its operator's choice, and an image brings no key.
    let environment = config["Env"].to_string();
    assert!(!environment.contains("PAYFRAME_MODE"), "{environment}");
    Ok(())
}

#[test]
fn the_same_program_makes_the_same_image() -> Result<()> {
    let make = |program| archive(program, Machine::X86, &Source::sample());
    assert_eq!(make(SCRIPT)?, make(SCRIPT)?);
    assert_ne!(make(SCRIPT)?, make(b"another program")?);
    Ok(())
}
