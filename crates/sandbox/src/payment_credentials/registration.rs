//! The registration of a device: what it says about itself, and its key. Only keys on P-256 are taken, as every browser makes them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::VerifyingKey;
use payframe_payment_ports::simulator_pages::{Enrolment, Registration};
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// A credential of a device.
pub(super) struct Credential {
    pub(super) id: Vec<u8>,
    pub(super) public_key: VerifyingKey,
}

/// The members of `clientDataJSON` that count.
#[derive(Deserialize)]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
}

impl Credential {
    /// `None`: it is not the answer to what was asked.
    pub(super) fn of(
        registration: &Registration,
        asked: &Enrolment,
        origin: &str,
    ) -> Option<Credential> {
        let client_data = URL_SAFE_NO_PAD.decode(&registration.client_data).ok()?;
        let client_data: ClientData = serde_json::from_slice(&client_data).ok()?;
        let is_asked = client_data.kind == "webauthn.create"
            && client_data.challenge == asked.challenge
            && client_data.origin == origin;
        is_asked.then_some(())?;
        let device = URL_SAFE_NO_PAD
            .decode(&registration.authenticator_data)
            .ok()?;
        let rest = device.strip_prefix(Sha256::digest(&asked.rp_id).as_slice())?;
        let (flags, rest) = rest.split_first()?;
        (flags & REGISTERED == REGISTERED).then_some(())?;
        let rest = rest.get(COUNTER_AND_MODEL_BYTES..)?;
        let (length, rest) = rest.split_first_chunk::<2>()?;
        let (id, key) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
        Some(Credential {
            id: id.to_vec(),
            public_key: key_of(key)?,
        })
    }
}

/// The key of a COSE_Key in its canonical form: a map of the kind of key, the algorithm, the curve and the point (RFC 9053, 7.1.1).
fn key_of(key: &[u8]) -> Option<VerifyingKey> {
    let rest = key.strip_prefix(ES256)?;
    let (x, rest) = rest.strip_prefix(X)?.split_at_checked(COORDINATE_BYTES)?;
    let (y, _extensions) = rest.strip_prefix(Y)?.split_at_checked(COORDINATE_BYTES)?;
    VerifyingKey::from_sec1_bytes(&[&[UNCOMPRESSED], x, y].concat()).ok()
}

/// The flags of authenticator data: the buyer is there, is known to the device, and the data has a credential.
const REGISTERED: u8 = 0b0100_0101;

const COUNTER_AND_MODEL_BYTES: usize = 4 + 16;

/// A map of five, kty: EC2, alg: ES256, crv: P-256.
const ES256: &[u8] = &[0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01];

const X: &[u8] = &[0x21, 0x58, 0x20];

const Y: &[u8] = &[0x22, 0x58, 0x20];

const COORDINATE_BYTES: usize = 32;

/// Begins a point of SEC 1 with both coordinates.
const UNCOMPRESSED: u8 = 4;
