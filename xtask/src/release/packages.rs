//! What merchants install: archives of the npm packages, wheels and source archives of the Python packages, the archive of the PHP package, and the
//! plug-in for WooCommerce.

use super::VERSION;
use super::archive::{Archive, Owner};
use super::sbom::NpmPackage;
use super::source::Source;
use super::zip::zip;
use crate::dist::hex_digest;
use crate::process::{capture, step};
use crate::project::Project;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes the archives of the npm packages into a folder.
pub(crate) fn npm(project: &Project, folder: &Path) -> Result<Vec<NpmPackage>> {
    step("npm packages", |line| {
        let mut packages = Vec::new();
        for manifest in manifests(project)? {
            let name = manifest.1["name"]
                .as_str()
                .context("a package has a name")?;
            let packed = capture(
                project
                    .command("npm")?
                    .args(["pack", "--silent", "--ignore-scripts", "--pack-destination"])
                    .arg(folder)
                    .arg(format!("./packages/{}", manifest.0)),
            )?;
            let archive = std::fs::read(folder.join(packed.trim()))
                .with_context(|| format!("npm did not write {}", packed.trim()))?;
            line.say(name);
            packages.push(NpmPackage {
                sha256: hex_digest(&archive),
                manifest: manifest.1,
            });
        }
        Ok(packages)
    })
}

/// The packages below `packages` that are published: folder and `package.json`.
fn manifests(project: &Project) -> Result<Vec<(String, Value)>> {
    let mut found = Vec::new();
    for file in project.files()? {
        let path = file.to_string_lossy();
        let parts: Vec<&str> = path.split('/').collect();
        let ["packages", folder, "package.json"] = parts.as_slice() else {
            continue;
        };
        let text = std::fs::read_to_string(project.root.join(&file))?;
        let manifest: Value = serde_json::from_str(&text).with_context(|| path.to_string())?;
        if manifest["private"] != true {
            found.push(((*folder).to_owned(), manifest));
        }
    }
    if found.is_empty() {
        bail!("there is no npm package below packages/");
    }
    Ok(found)
}

/// Writes wheels and source archives of the Python packages into a folder. `tools` is the folder of programs with hatchling.
pub(crate) fn python(
    project: &Project,
    tools: &Path,
    folder: &Path,
    source: &Source,
) -> Result<()> {
    step("Python packages", |line| {
        for package in PYTHON {
            capture(
                Command::new(tools.join("python"))
                    .current_dir(project.root.join(package))
                    .args(["-m", "hatchling", "build", "--directory"])
                    .arg(folder)
                    .env("SOURCE_DATE_EPOCH", source.time.to_string()),
            )?;
            line.say(package);
        }
        Ok(())
    })
}

/// Folders of the Python packages: the client for servers, and the payment app for django-oscar.
const PYTHON: [&str; 2] = ["packages/python", "packages/django-oscar"];

/// Writes the archive of the PHP package into a folder. Composer reads it there (`"type": "artifact"`).
pub(crate) fn php(project: &Project, folder: &Path, source: &Source) -> Result<()> {
    step("PHP package", |_| {
        let mut archive = Archive::new(source.time);
        for name in php_files(&project.files()?) {
            let bytes = std::fs::read(project.root.join(PHP).join(&name))?;
            archive.file(&name, 0o644, Owner::ROOT, bytes);
        }
        let name = format!("payframe-php-{VERSION}.tar.gz");
        std::fs::write(folder.join(name), archive.tar_gz("payframe/")?)?;
        Ok(())
    })
}

/// The files that shops need, by their paths in the package.
fn php_files(files: &[PathBuf]) -> Vec<String> {
    let is_shipped = |name: &str| {
        ["src/", "example/", "LICENSE-", "README.md", "composer.json"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    let names = files.iter().filter_map(|file| {
        let name = file.strip_prefix(PHP).ok()?.to_string_lossy().into_owned();
        is_shipped(&name).then_some(name)
    });
    names.collect()
}

/// Writes the plug-in for WooCommerce into a folder: an archive that WordPress takes, with the PHP package in it.
pub(crate) fn woocommerce(project: &Project, folder: &Path, source: &Source) -> Result<()> {
    step("plug-in for WooCommerce", |_| {
        let mut archive = Archive::new(source.time);
        for (name, path) in woocommerce_files(&project.files()?) {
            let bytes = std::fs::read(project.root.join(path))?;
            archive.file(&name, 0o644, Owner::ROOT, bytes);
        }
        let name = format!("payframe-woocommerce-{VERSION}.zip");
        std::fs::write(folder.join(name), zip(&archive, "payframe-woocommerce/")?)?;
        Ok(())
    })
}

/// The files that a shop needs: their paths in the plug-in and in the repository. `lib` has the sources of the PHP package.
fn woocommerce_files(files: &[PathBuf]) -> Vec<(String, PathBuf)> {
    let is_left_out = |name: &str| {
        ["tests/", "phpunit.xml", "composer.json", ".gitignore"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    let names = files.iter().filter_map(|file| {
        if let Ok(library) = file.strip_prefix(format!("{PHP}/src")) {
            return Some((format!("lib/{}", library.display()), file.clone()));
        }
        let name = file.strip_prefix(WOOCOMMERCE).ok()?.display().to_string();
        (!is_left_out(&name)).then(|| (name, file.clone()))
    });
    names.collect()
}

const PHP: &str = "packages/php";
const WOOCOMMERCE: &str = "packages/woocommerce";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_have_the_version_of_the_gateway() -> Result<()> {
        let project = Project::locate()?;
        let manifests = manifests(&project)?;
        let mut names: Vec<&str> = manifests
            .iter()
            .map(|(folder, _)| folder.as_str())
            .collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "angular", "form", "medusa", "react", "server", "svelte", "testing", "vendure",
                "vue"
            ]
        );
        for (folder, manifest) in &manifests {
            assert_eq!(manifest["version"], VERSION, "{folder}");
        }
        for package in PYTHON {
            let manifest = project.root.join(package).join("pyproject.toml");
            let python: toml::Table = toml::from_str(&std::fs::read_to_string(manifest)?)?;
            assert_eq!(
                python["project"]["version"].as_str(),
                Some(VERSION),
                "{package}"
            );
        }
        let php: Value = serde_json::from_str(&std::fs::read_to_string(
            project.root.join(PHP).join("composer.json"),
        )?)?;
        assert_eq!(php["version"], VERSION);
        Ok(())
    }

    #[test]
    fn the_php_package_has_its_sources_and_no_tests() -> Result<()> {
        let names = php_files(&Project::locate()?.files()?);
        for needed in [
            "composer.json",
            "README.md",
            "LICENSE-MIT",
            "LICENSE-APACHE",
            "src/Payframe.php",
            "src/Exception/PayframeException.php",
            "src/OrderKeeper/OrderKeeper.php",
            "example/index.php",
        ] {
            assert!(names.iter().any(|name| name == needed), "{needed}");
        }
        let is_test = |name: &&String| name.contains("test") || name.contains("phpunit");
        assert_eq!(names.iter().find(is_test), None);
        Ok(())
    }

    #[test]
    fn the_plug_in_for_woocommerce_has_its_sources_the_php_package_and_no_tests() -> Result<()> {
        let files = woocommerce_files(&Project::locate()?.files()?);
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        for needed in [
            "payframe-woocommerce.php",
            "autoload.php",
            "uninstall.php",
            "README.md",
            "LICENSE-MIT",
            "LICENSE-APACHE",
            "assets/pay.js",
            "psr/Http/Message/RequestInterface.php",
            "src/Gateway.php",
            "lib/Payframe.php",
            "lib/OrderKeeper/OrderKeeper.php",
        ] {
            assert!(names.contains(&needed), "{needed}");
        }
        let is_test = |name: &&&str| name.contains("test") || name.contains("phpunit");
        assert_eq!(names.iter().find(is_test), None);
        Ok(())
    }
}
