//! `cargo xtask release`: the files that operators and merchants download, in `target/release-files`.
//!
//! For each kind of machine the program ([`program`]), an image ([`image`]) and a Debian package ([`debian`]) of it; the packages for merchants
//! ([`packages`], [`rust_package`]); bills of materials ([`sbom`]) and licences; notes, checksums and a signature ([`signature`]). The program is linked statically (musl),
//! and the built widget is inside it. `zig` compiles and links the C code of its libraries for every target, so no cross compilers of the system are needed.
//!
//! The bytes depend on the commit alone ([`reproducible`]): every time is the commit's.

mod archive;
mod crates;
mod debian;
mod image;
mod licences;
mod notes;
mod packages;
mod program;
mod reproducible;
mod rust_package;
mod sbom;
mod signature;
mod source;
mod trial;
mod zip;

use crate::build::{self, Wanted};
use crate::dist::hex_digest;
use crate::process::step;
use crate::project::{Project, files_below};
use crate::python::Environment;
use anyhow::{Context, Result};
use notes::Listed;
use source::Source;
use std::path::{Path, PathBuf};

/// A kind of machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Machine {
    /// 64-bit x86.
    #[value(name = "x86_64")]
    X86,
    /// 64-bit ARM.
    #[value(name = "aarch64")]
    Arm,
}

impl Machine {
    fn name(self) -> &'static str {
        match self {
            Machine::X86 => "x86_64",
            Machine::Arm => "aarch64",
        }
    }

    /// The name that images and Debian have for it.
    fn architecture(self) -> &'static str {
        match self {
            Machine::X86 => "amd64",
            Machine::Arm => "arm64",
        }
    }

    fn target(self) -> String {
        format!("{}-unknown-linux-musl", self.name())
    }

    /// Whether this program runs on it.
    fn is_here(self) -> bool {
        cfg!(target_os = "linux") && std::env::consts::ARCH == self.name()
    }
}

/// What the command line asks for.
pub(crate) struct Options {
    /// All unless some are named.
    pub(crate) machines: Vec<Machine>,
    /// The SSH key that signs the checksums.
    pub(crate) sign_key: Option<PathBuf>,
    /// Whether the release is made again elsewhere, and compared.
    pub(crate) check_reproducible: bool,
}

/// Makes the release, tries what this machine can run, signs it, and says what there is.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let machines = match options.machines.as_slice() {
        [] => &[Machine::X86, Machine::Arm][..],
        named => named,
    };
    let folder = make(project, machines)?;
    for machine in machines.iter().filter(|machine| machine.is_here()) {
        let program = folder.join(program_name(*machine));
        trial::program(project, &program)?;
        trial::first_payment(project, &program)?;
        trial::image(&std::fs::read(folder.join(image_name(*machine)))?)?;
    }
    if let Some(key) = &options.sign_key {
        signature::sign(&folder.join(CHECKSUMS), key)?;
    }
    println!("{}:", folder.display());
    for file in listed(&folder)? {
        println!(
            "  {} ({:.1} MB)",
            file.name,
            file.bytes as f64 / 1_000_000.0
        );
    }
    if options.check_reproducible {
        reproducible::check(project, machines, &folder)?;
    }
    Ok(())
}

/// Tries the demo of a compiled gateway, as the demo of a release is tried.
pub(crate) fn try_compiled(project: &Project, program: &Path) -> Result<()> {
    trial::compiled(project, program)
}

/// Makes the release's files and returns their folder.
fn make(project: &Project, machines: &[Machine]) -> Result<PathBuf> {
    build::build(project, Wanted::Released)?;
    let tools = Environment {
        name: "release",
        tools: "cargo-zigbuild, zig and hatchling",
        requirements: "xtask/release-requirements.txt",
    }
    .set_up(project)?;
    let programs: Vec<(Machine, PathBuf)> = machines
        .iter()
        .map(|machine| Ok((*machine, program::compile(project, &tools, *machine)?)))
        .collect::<Result<_>>()?;
    let folder = project.empty_folder("release-files")?;
    let source = step("release: commit, crates and licences", |line| {
        let crates = crates::of_program(project, &Machine::X86.target())?;
        let source = Source::of(project, &licences::of_program(&crates)?)?;
        line.say(&source.revision);
        std::fs::write(
            folder.join(name("payframe-gateway", "cdx.json")),
            sbom::of_program(&crates, &source)?,
        )?;
        std::fs::write(folder.join(LICENCES), &source.licences)?;
        Ok(source)
    })?;
    write_widget_list(project, &folder)?;
    let debian = debian::Files::of(project)?;
    for (machine, program) in programs {
        step(
            &format!("release: image and package for {}", machine.name()),
            |_| {
                let bytes = std::fs::read(&program)
                    .with_context(|| format!("cannot read {}", program.display()))?;
                std::fs::copy(&program, folder.join(program_name(machine)))?;
                let image = image::archive(&bytes, machine, &source)?;
                std::fs::write(folder.join(image_name(machine)), image)?;
                let package = debian::package(&bytes, machine, &source, &debian)?;
                std::fs::write(folder.join(debian::name(machine)), package)?;
                Ok(())
            },
        )?;
    }
    for database in DATABASES {
        let name = format!("compose.{database}.yaml");
        std::fs::copy(compose_file(project, database), folder.join(name))?;
    }
    let packages = packages::npm(project, &folder)?;
    std::fs::write(
        folder.join(name("payframe-packages", "cdx.json")),
        sbom::of_packages(&packages, &source)?,
    )?;
    packages::python(project, &tools, &folder, &source)?;
    packages::php(project, &folder, &source)?;
    packages::woocommerce(project, &folder, &source)?;
    rust_package::write(project, &folder, &source)?;
    let changelog = std::fs::read_to_string(project.root.join("CHANGELOG.md"))?;
    let notes = notes::notes(&changelog, VERSION, &source.revision, &listed(&folder)?)?;
    std::fs::write(folder.join("RELEASE-NOTES.md"), notes)?;
    write_checksums(&folder)?;
    Ok(folder)
}

/// Writes the hash of each file of the built widget into a folder: `payframe-gateway verify` compares a running gateway with it.
fn write_widget_list(project: &Project, folder: &Path) -> Result<()> {
    let list = format!("payframe-gateway-{VERSION}-files.sha256");
    std::fs::write(folder.join(list), checksums(&listed(&project.dist())?))?;
    Ok(())
}

/// Writes the hash of each file of a folder into it, and returns the path of that list.
fn write_checksums(folder: &Path) -> Result<PathBuf> {
    let written = folder.join(CHECKSUMS);
    std::fs::write(&written, checksums(&listed(folder)?))?;
    Ok(written)
}

/// The files of a folder by name.
fn listed(folder: &Path) -> Result<Vec<Listed>> {
    let read = |file: PathBuf| {
        let bytes = std::fs::read(folder.join(&file))?;
        Ok(Listed {
            name: file.display().to_string(),
            bytes: bytes.len(),
            sha256: hex_digest(&bytes),
        })
    };
    files_below(folder)?.into_iter().map(read).collect()
}

/// As `sha256sum` writes them, so that `sha256sum --check` reads them.
fn checksums(files: &[Listed]) -> String {
    let line = |file: &Listed| format!("{}  {}\n", file.sha256, file.name);
    files.iter().map(line).collect()
}

fn program_name(machine: Machine) -> String {
    format!("payframe-gateway-{VERSION}-{}-linux", machine.name())
}

fn image_name(machine: Machine) -> String {
    format!("payframe-gateway-{VERSION}-{}-image.tar", machine.name())
}

fn name(what: &str, ending: &str) -> String {
    format!("{what}-{VERSION}.{ending}")
}

/// How a container runtime runs the image with a kind of database.
fn compose_file(project: &Project, database: &str) -> PathBuf {
    let file = format!("examples/compose/{database}.yaml");
    project.root.join(file)
}

const DATABASES: [&str; 2] = ["sqlite", "postgres"];
/// The version of everything in a release.
const VERSION: &str = env!("CARGO_PKG_VERSION");
const CHECKSUMS: &str = "SHA256SUMS";
const LICENCES: &str = "THIRD-PARTY-LICENCES.txt";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compose_files_run_the_image_of_this_version_and_ask_its_health() -> Result<()> {
        let project = Project::locate()?;
        for database in DATABASES {
            let file = compose_file(&project, database);
            let text = std::fs::read_to_string(&file)?;
            for said in [
                &format!("image: {}\n", image::name()),
                "/usr/bin/payframe-gateway, health",
                "${PAYFRAME_MODE:?",
                &format!("compose.{database}.yaml"),
            ] {
                assert!(text.contains(said), "{}: {said}", file.display());
            }
        }
        Ok(())
    }

    #[test]
    fn checksums_are_those_that_sha256sum_reads() -> Result<()> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("a"), "abc")?;
        assert_eq!(
            checksums(&listed(folder.path())?),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n"
        );
        Ok(())
    }
}
