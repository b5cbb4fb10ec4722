//! The signature of an APPLEPAY token: a detached SignedData of the Cryptographic Message Syntax (RFC 5652), with the certificates of its
//! signer.
//!
//! The structure is written in BER, with lengths that are not known beforehand. What is signed, and the certificates, are DER.

use crate::error::{SetUpError, TokenError};
use der::asn1::{Any, ObjectIdentifier, OctetStringRef, SetOfVec};
use der::{Decode, Encode, Sequence, ValueOrd};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, SignatureVerificationAlgorithm, TrustAnchor, UnixTime};
use sha2::{Digest, Sha256};
use std::time::Duration;
use webpki::{EndEntityCert, KeyUsage as Purpose, anchor_from_trusted_cert, ring};
use x509_cert::Certificate;
use x509_cert::attr::Attribute;
use x509_cert::ext::pkix::KeyUsage;
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::AlgorithmIdentifierOwned;
use x509_cert::time::Time;

/// The certificates that those of tokens must lead to.
pub struct CertificateRoots(Vec<TrustAnchor<'static>>);

impl CertificateRoots {
    /// Reads one certificate or several, as PEM.
    ///
    /// # Errors
    /// There is none, or one of them is no certificate.
    pub fn from_pem(text: &str) -> Result<CertificateRoots, SetUpError> {
        let refused = SetUpError("the wallet's root certificate, as PEM");
        let read = |certificate: CertificateDer<'static>| {
            let anchor = anchor_from_trusted_cert(&certificate).map_err(|_| refused)?;
            Ok(anchor.to_owned())
        };
        let certificates = CertificateDer::pem_slice_iter(text.as_bytes());
        let certificates = certificates.map(|one| read(one.map_err(|_| refused)?));
        let roots: Vec<_> = certificates.collect::<Result<_, _>>()?;
        match roots.is_empty() {
            true => Err(refused),
            false => Ok(CertificateRoots(roots)),
        }
    }
}

#[derive(Sequence)]
struct ContentInfo {
    content_type: ObjectIdentifier,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT")]
    content: SignedData,
}

#[derive(Sequence)]
struct SignedData {
    version: u8,
    digest_algorithms: SetOfVec<AlgorithmIdentifierOwned>,
    content: Content,
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT", optional = "true")]
    certificates: Option<SetOfVec<Any>>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    revocations: Option<SetOfVec<Any>>,
    signers: SetOfVec<Signer>,
}

/// Absent: what is signed is elsewhere.
#[derive(Sequence)]
struct Content {
    content_type: ObjectIdentifier,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    content: Option<Any>,
}

#[derive(Sequence, ValueOrd)]
struct Signer {
    version: u8,
    certificate: CertificateName,
    digest_algorithm: AlgorithmIdentifierOwned,
    #[asn1(
        context_specific = "0",
        tag_mode = "IMPLICIT",
        constructed = "true",
        optional = "true"
    )]
    signed_attributes: Option<SetOfVec<Attribute>>,
    signature_algorithm: AlgorithmIdentifierOwned,
    signature: der::asn1::OctetString,
    #[asn1(
        context_specific = "1",
        tag_mode = "IMPLICIT",
        constructed = "true",
        optional = "true"
    )]
    unsigned_attributes: Option<SetOfVec<Attribute>>,
}

#[derive(Sequence, ValueOrd)]
struct CertificateName {
    issuer: Name,
    serial_number: SerialNumber,
}

/// The signed attributes of a signer that count.
struct Statement {
    digest: Vec<u8>,
    signed_ms: i64,
    /// What the signature is of.
    der: Vec<u8>,
}

/// Checks that `signature` is one of `signed`, made now by a certificate that signs tokens. Returns when it was made.
pub(crate) fn verify(
    signature: &[u8],
    signed: &[u8],
    roots: &CertificateRoots,
    now_ms: i64,
) -> Result<i64, TokenError> {
    let malformed = TokenError::Malformed("signature");
    let data = ContentInfo::from_ber(signature).map_err(|_| malformed)?;
    let signed_data = data.content;
    let is_detached = data.content_type == ID_SIGNED_DATA
        && signed_data.content.content_type == ID_DATA
        && signed_data.content.content.is_none();
    let ([signer], true) = (signed_data.signers.as_slice(), is_detached) else {
        return Err(malformed);
    };
    if signer.digest_algorithm.oid != ID_SHA256
        || signer.signature_algorithm.oid != ECDSA_WITH_SHA256
    {
        return Err(malformed);
    }
    let statement = Statement::of(signer).ok_or(malformed)?;
    let certificates = match &signed_data.certificates {
        Some(certificates) if certificates.len() <= MAX_CERTIFICATES => certificates.iter(),
        _ => return Err(malformed),
    };
    let certificates: Vec<CertificateDer<'_>> = certificates
        .map(|one| Ok(one.to_der()?.into()))
        .collect::<der::Result<_>>()
        .map_err(|_| malformed)?;
    let leaf = certificates.iter().find(|der| signer.is_named(der));
    let leaf = leaf.ok_or(malformed)?;
    let leaf = EndEntityCert::try_from(leaf).map_err(|_| malformed)?;
    check_chain(&leaf, &certificates, roots, now_ms)?;
    leaf.verify_signature(
        ring::ECDSA_P256_SHA256,
        &statement.der,
        signer.signature.as_bytes(),
    )
    .map_err(|_| TokenError::Signature)?;
    if statement.digest != Sha256::digest(signed).as_slice() {
        return Err(TokenError::Signature);
    }
    match now_ms.abs_diff(statement.signed_ms) <= MAX_AGE_MS.unsigned_abs() {
        true => Ok(statement.signed_ms),
        false => Err(TokenError::SigningTime),
    }
}

/// The signer's certificate, one intermediate one, and a root; the first two marked as those that sign tokens.
fn check_chain(
    leaf: &EndEntityCert<'_>,
    certificates: &[CertificateDer<'_>],
    roots: &CertificateRoots,
    now_ms: i64,
) -> Result<(), TokenError> {
    let now = Duration::from_millis(now_ms.try_into().unwrap_or_default());
    let path = leaf
        .verify_for_usage(
            CHAIN_ALGORITHMS,
            &roots.0,
            certificates,
            UnixTime::since_unix_epoch(now),
            // They name no extended purpose; one that names some is for these only.
            Purpose::required_if_present(LEAF_MARK_CONTENT),
            None,
            None,
        )
        .map_err(|_| TokenError::UntrustedCertificates)?;
    let wrong = TokenError::CertificatePurpose;
    let mut others = path.intermediate_certificates();
    let (Some(intermediate), None) = (others.next(), others.next()) else {
        return Err(wrong);
    };
    let leaf = Certificate::from_der(&leaf.der()).map_err(|_| wrong)?;
    let intermediate = Certificate::from_der(&intermediate.der()).map_err(|_| wrong)?;
    let signs = |usage: KeyUsage| usage.digital_signature();
    let certifies = |usage: KeyUsage| usage.key_cert_sign();
    match is_for(&leaf, LEAF_MARK, signs) && is_for(&intermediate, INTERMEDIATE_MARK, certifies) {
        true => Ok(()),
        false => Err(wrong),
    }
}

/// Whether the certificate has this mark, and its key may be used for this.
fn is_for(
    certificate: &Certificate,
    mark: ObjectIdentifier,
    allows: impl Fn(KeyUsage) -> bool,
) -> bool {
    let content = certificate.tbs_certificate();
    let mut extensions = content.extensions().into_iter().flatten();
    let is_marked = extensions.any(|extension| extension.extn_id == mark);
    let usage = content.get_extension::<KeyUsage>();
    is_marked && usage.is_ok_and(|usage| usage.is_none_or(|(_, usage)| allows(usage)))
}

impl Signer {
    /// Whether this is the certificate that the signer names.
    fn is_named(&self, der: &CertificateDer<'_>) -> bool {
        Certificate::from_der(der).is_ok_and(|certificate| {
            let content = certificate.tbs_certificate();
            *content.issuer() == self.certificate.issuer
                && *content.serial_number() == self.certificate.serial_number
        })
    }
}

impl Statement {
    fn of(signer: &Signer) -> Option<Statement> {
        let attributes = signer.signed_attributes.as_ref()?;
        let only = |wanted: ObjectIdentifier| {
            let mut found = attributes.iter().filter(|one| one.oid == wanted);
            match (found.next()?.values.as_slice(), found.next()) {
                ([value], None) => Some(value),
                _ => None,
            }
        };
        let kind: ObjectIdentifier = only(ID_CONTENT_TYPE)?.decode_as().ok()?;
        let digest: &OctetStringRef = only(ID_MESSAGE_DIGEST)?.decode_as().ok()?;
        let time: Time = only(ID_SIGNING_TIME)?.decode_as().ok()?;
        (kind == ID_DATA).then_some(())?;
        Some(Statement {
            digest: digest.as_bytes().to_vec(),
            signed_ms: time.to_unix_duration().as_millis().try_into().ok()?,
            der: attributes.to_der().ok()?,
        })
    }
}

/// How far the signing time may be from now: a buyer's payment takes seconds, and a token is for one payment.
pub const MAX_AGE_MS: i64 = 5 * 60 * 1000;

/// A token has two, and may have the root.
const MAX_CERTIFICATES: usize = 4;

const CHAIN_ALGORITHMS: &[&dyn SignatureVerificationAlgorithm] = &[
    ring::ECDSA_P256_SHA256,
    ring::ECDSA_P256_SHA384,
    ring::ECDSA_P384_SHA256,
    ring::ECDSA_P384_SHA384,
];

const LEAF_MARK: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113635.100.6.29");
const LEAF_MARK_CONTENT: &[u8] = LEAF_MARK.as_bytes();
const INTERMEDIATE_MARK: ObjectIdentifier =
    ObjectIdentifier::new_unwrap("1.2.840.113635.100.6.2.14");
const ID_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.1");
const ID_SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
const ID_CONTENT_TYPE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.3");
const ID_MESSAGE_DIGEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");
const ID_SIGNING_TIME: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.5");
const ID_SHA256: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1");
const ECDSA_WITH_SHA256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.4.3.2");
