//! The certificates of a folder: one authority, and a certificate with its key for each side. They are made at the first start; files with
//! the same names may be put there before.

use super::ThreeDsProblem;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, KeyUsagePurpose,
};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Whose certificate it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The directory server.
    DirectoryServer,
    /// The issuer's access control server.
    AccessControl,
    /// The 3-D Secure server of a gateway.
    Requestor,
}

/// A folder with certificates.
#[derive(Clone, Debug)]
pub(super) struct Identities {
    folder: PathBuf,
}

impl Side {
    const ALL: [Side; 3] = [Side::DirectoryServer, Side::AccessControl, Side::Requestor];

    fn name(self) -> &'static str {
        match self {
            Side::DirectoryServer => "directory-server",
            Side::AccessControl => "acs",
            Side::Requestor => "3ds-server",
        }
    }
}

impl Identities {
    /// Opens a folder. Makes what is missing, if nothing is there.
    pub(super) fn open(folder: &Path) -> Result<Identities, ThreeDsProblem> {
        let identities = Identities {
            folder: folder.to_owned(),
        };
        if identities.authority().exists() {
            return Ok(identities);
        }
        // The folder appears whole: another program that starts at the same time finds all of it, or nothing.
        let unfinished = folder.with_extension(format!("unfinished-{}", std::process::id()));
        make(&unfinished)?;
        std::fs::rename(&unfinished, folder).or_else(|problem| {
            let _ = std::fs::remove_dir_all(&unfinished);
            match identities.authority().exists() {
                true => Ok(()),
                false => Err(ThreeDsProblem::File {
                    file: folder.to_owned(),
                    source: problem,
                }),
            }
        })?;
        Ok(identities)
    }

    /// The certificate of the authority.
    pub(super) fn authority(&self) -> PathBuf {
        self.folder.join(AUTHORITY)
    }

    pub(super) fn certificate(&self, side: Side) -> PathBuf {
        self.folder.join(certificate(side))
    }

    pub(super) fn key(&self, side: Side) -> PathBuf {
        self.folder.join(key(side))
    }
}

/// The file's name of the authority's certificate.
pub(super) const AUTHORITY: &str = "ca.pem";

pub(super) fn certificate(side: Side) -> String {
    format!("{}.pem", side.name())
}

pub(super) fn key(side: Side) -> String {
    format!("{}.key", side.name())
}

/// Makes all certificates. The key of the authority is forgotten: nobody gets a further one.
fn make(folder: &Path) -> Result<(), ThreeDsProblem> {
    std::fs::create_dir_all(folder).map_err(|source| ThreeDsProblem::File {
        file: folder.to_owned(),
        source,
    })?;
    let mut params = CertificateParams::new(Vec::new())?;
    params
        .distinguished_name
        .push(DnType::CommonName, "Sandbox 3-D Secure authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
    write(&folder.join(AUTHORITY), &authority.pem())?;
    for side in Side::ALL {
        let pair = KeyPair::generate()?;
        let hosts = ["localhost", "127.0.0.1"].map(str::to_owned);
        let mut params = CertificateParams::new(hosts)?;
        params
            .distinguished_name
            .push(DnType::CommonName, side.name());
        params.extended_key_usages = vec![
            ExtendedKeyUsagePurpose::ServerAuth,
            ExtendedKeyUsagePurpose::ClientAuth,
        ];
        let signed = params.signed_by(&pair, &authority)?;
        write(&folder.join(certificate(side)), &signed.pem())?;
        write(&folder.join(key(side)), &pair.serialize_pem())?;
    }
    Ok(())
}

/// Readable for the owner alone.
fn write(file: &Path, text: &str) -> Result<(), ThreeDsProblem> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options
        .open(file)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|source| ThreeDsProblem::File {
        file: file.to_owned(),
        source,
    })
}
