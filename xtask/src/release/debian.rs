//! The Debian package: the program, its service for systemd, and its settings in `/etc/payframe/gateway.toml`.
//!
//! A package is an `ar` archive of two tar archives, for dpkg and for the disk (deb(5)). The program is linked statically, so it depends on no library.
//! The files that are not made here are in `gateway/packaging/debian`.

use super::archive::{Archive, Owner};
use super::source::Source;
use super::{Machine, VERSION};
use crate::dist::gzip;
use crate::project::Project;
use anyhow::{Context, Result};
use std::path::Path;

/// The name of the package's file, as Debian names them.
pub(crate) fn name(machine: Machine) -> String {
    format!("payframe-gateway_{VERSION}_{}.deb", machine.architecture())
}

/// The files of a package that are written by hand, by name.
pub(crate) struct Files {
    folder: std::path::PathBuf,
    changelog: Vec<u8>,
}

impl Files {
    pub(crate) fn of(project: &Project) -> Result<Files> {
        Ok(Files {
            folder: project.root.join("gateway/packaging/debian"),
            changelog: std::fs::read(project.root.join("CHANGELOG.md"))?,
        })
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        let path: &Path = &self.folder.join(name);
        std::fs::read(path).with_context(|| format!("{} is missing", path.display()))
    }
}

/// The package.
pub(crate) fn package(
    program: &[u8],
    machine: Machine,
    source: &Source,
    files: &Files,
) -> Result<Vec<u8>> {
    let mut disk = Archive::new(source.time);
    disk.file("usr/bin/payframe-gateway", 0o755, Owner::ROOT, program)
        .file(
            "usr/lib/systemd/system/payframe-gateway.service",
            0o644,
            Owner::ROOT,
            files.read("payframe-gateway.service")?,
        )
        .file(
            "etc/payframe/gateway.toml",
            0o640,
            Owner::ROOT,
            files.read("gateway.toml")?,
        )
        .file(
            "usr/share/doc/payframe-gateway/copyright",
            0o644,
            Owner::ROOT,
            source.copyright.as_bytes(),
        )
        .file(
            "usr/share/doc/payframe-gateway/third-party-licences.txt.gz",
            0o644,
            Owner::ROOT,
            gzip(source.licences.as_bytes())?,
        )
        .file(
            "usr/share/doc/payframe-gateway/changelog.gz",
            0o644,
            Owner::ROOT,
            gzip(&files.changelog)?,
        );
    let mut control = Archive::new(source.time);
    let fields = fields(machine, disk.content_bytes());
    control.file("control", 0o644, Owner::ROOT, fields);
    control.file(
        "conffiles",
        0o644,
        Owner::ROOT,
        "/etc/payframe/gateway.toml\n",
    );
    for script in ["postinst", "prerm", "postrm"] {
        control.file(script, 0o755, Owner::ROOT, files.read(script)?);
    }
    let mut package = ar::Builder::new(Vec::new());
    for (name, bytes) in [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", control.tar_gz("./")?),
        ("data.tar.gz", disk.tar_gz("./")?),
    ] {
        let mut header = ar::Header::new(name.as_bytes().to_vec(), bytes.len() as u64);
        header.set_mode(0o100_644);
        header.set_mtime(source.time);
        package.append(&header, &bytes[..])?;
    }
    Ok(package.into_inner()?)
}

/// What dpkg knows about the package.
fn fields(machine: Machine, size: usize) -> String {
    format!(
        "\
Package: payframe-gateway
Version: {VERSION}
Architecture: {}
Maintainer: Payframe <packages@payframe.example>
Installed-Size: {}
Depends: adduser
Section: net
Priority: optional
Description: payment gateway with its card form
 An embeddable card-payment form and the gateway behind it, in one program.
 The settings are in /etc/payframe/gateway.toml. The service is started by the
 operator once the mode is set there.
",
        machine.architecture(),
        size.div_ceil(1024)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{capture, find_in};
    use anyhow::bail;
    use std::process::Command;

    fn sample(program: &[u8]) -> Result<Vec<u8>> {
        let files = Files::of(&Project::locate()?)?;
        package(program, Machine::X86, &Source::sample(), &files)
    }

    #[test]
    fn the_same_program_makes_the_same_package() -> Result<()> {
        assert_eq!(sample(b"a program")?, sample(b"a program")?);
        assert_ne!(sample(b"a program")?, sample(b"another program")?);
        Ok(())
    }

    /// The members of the archive, and of the two archives in it.
    #[test]
    fn a_package_has_the_members_that_dpkg_reads_in_their_order() -> Result<()> {
        let package = sample(b"a program")?;
        let mut members = ar::Archive::new(&package[..]);
        let mut names = Vec::new();
        while let Some(member) = members.next_entry() {
            let member = member?;
            assert_eq!(member.header().mtime(), Source::sample().time);
            names.push(String::from_utf8(member.header().identifier().to_vec())?);
        }
        assert_eq!(names, ["debian-binary", "control.tar.gz", "data.tar.gz"]);
        Ok(())
    }

    /// dpkg is on Debian and Ubuntu only, and there it reads the package.
    #[test]
    fn dpkg_reads_and_unpacks_a_package() -> Result<()> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        if find_in(&path, "dpkg-deb").is_none() {
            return Ok(());
        }
        let folder = tempfile::tempdir()?;
        let file = folder.path().join(name(Machine::X86));
        std::fs::write(&file, sample(b"a program")?)?;
        let dpkg = |words: &[&str]| capture(Command::new("dpkg-deb").args(words).arg(&file));
        for (field, value) in [
            ("Package", "payframe-gateway"),
            ("Version", VERSION),
            ("Architecture", "amd64"),
        ] {
            let read = capture(
                Command::new("dpkg-deb")
                    .arg("--field")
                    .arg(&file)
                    .arg(field),
            )?;
            assert_eq!(read.trim(), value);
        }
        let contents = dpkg(&["--contents"])?;
        for (rights, file) in [
            ("-rwxr-xr-x root/root", " ./usr/bin/payframe-gateway"),
            ("-rw-r----- root/root", " ./etc/payframe/gateway.toml"),
            (
                "-rw-r--r-- root/root",
                " ./usr/lib/systemd/system/payframe-gateway.service",
            ),
        ] {
            let listed = contents
                .lines()
                .any(|line| line.starts_with(rights) && line.ends_with(file));
            assert!(listed, "{rights}{file}:\n{contents}");
        }
        let root = folder.path().join("root");
        capture(
            Command::new("dpkg-deb")
                .arg("--extract")
                .arg(&file)
                .arg(&root),
        )?;
        assert_eq!(
            std::fs::read(root.join("usr/bin/payframe-gateway"))?,
            b"a program"
        );
        Ok(())
    }

    /// Where there is a systemd, it knows every key of the service.
    #[test]
    fn systemd_understands_the_service() -> Result<()> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        if find_in(&path, "systemd-analyze").is_none() {
            return Ok(());
        }
        let files = Files::of(&Project::locate()?)?;
        let service = String::from_utf8(files.read("payframe-gateway.service")?)?;
        // A program that is on every machine, because a missing one is reported.
        let service = service.replace("/usr/bin/payframe-gateway", "/bin/true");
        let verify = |service: &str| -> Result<String> {
            let folder = tempfile::tempdir()?;
            let file = folder.path().join("payframe-gateway.service");
            std::fs::write(&file, service)?;
            let said = Command::new("systemd-analyze")
                .arg("verify")
                .arg(&file)
                .output()?;
            let said = String::from_utf8(said.stderr)?;
            // Services of this machine may be reported, too.
            let ours = said
                .lines()
                .filter(|line| line.contains("payframe-gateway"));
            Ok(ours.collect::<Vec<_>>().join("\n"))
        };
        assert_eq!(verify(&service)?, "");
        let mistyped = service.replace("ProtectHome=", "ProtectHouse=");
        assert!(verify(&mistyped)?.contains("ProtectHouse"));
        Ok(())
    }

    #[test]
    fn the_scripts_are_shell_and_remove_no_payments() -> Result<()> {
        let files = Files::of(&Project::locate()?)?;
        for script in ["postinst", "prerm", "postrm"] {
            let text = String::from_utf8(files.read(script)?)?;
            capture(Command::new("sh").args(["-n", "-c", &text]))?;
            if text.contains("rm -") {
                bail!("{script} removes files");
            }
        }
        Ok(())
    }
}
