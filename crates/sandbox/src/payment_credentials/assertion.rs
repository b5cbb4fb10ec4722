//! Whether a device has signed what its browser was asked: this payment of this payee, shown on the page that asked (W3C Secure Payment
//! Confirmation, "Verifying an authentication assertion"). Which page was above it is not compared: AReq does not say.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use payframe_payment_ports::three_ds_server::{Assertion, Confirmation};
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The members of `clientDataJSON` that count.
#[derive(Deserialize)]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    payment: PaymentData,
}

/// What the browser showed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PaymentData {
    rp_id: String,
    payee_name: Option<String>,
    payee_origin: Option<String>,
    total: Total,
    instrument: Instrument,
}

#[derive(Deserialize)]
struct Total {
    currency: String,
    value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Instrument {
    icon: String,
    display_name: String,
}

/// `public_key`: the point of the credential that the assertion names, base64url.
pub(super) fn is_signed(
    assertion: &Assertion,
    asked: &Confirmation,
    origin: &str,
    public_key: &str,
) -> bool {
    checked(assertion, asked, origin, public_key).is_some()
}

fn checked(
    assertion: &Assertion,
    asked: &Confirmation,
    origin: &str,
    public_key: &str,
) -> Option<()> {
    let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text).ok();
    let client_data = bytes(&assertion.response.client_data)?;
    let shown: ClientData = serde_json::from_slice(&client_data).ok()?;
    shows(&shown, asked, origin).then_some(())?;
    let device = bytes(&assertion.response.authenticator_data)?;
    let rest = device.strip_prefix(Sha256::digest(&asked.rp_id).as_slice())?;
    let flags = rest.first()?;
    (flags & CONFIRMED == CONFIRMED).then_some(())?;
    let signature = Signature::from_der(&bytes(&assertion.response.signature)?).ok()?;
    let key = VerifyingKey::from_sec1_bytes(&bytes(public_key)?).ok()?;
    let signed = [device.as_slice(), Sha256::digest(&client_data).as_slice()].concat();
    key.verify(&signed, &signature).ok()
}

fn shows(shown: &ClientData, asked: &Confirmation, origin: &str) -> bool {
    let payment = &shown.payment;
    shown.kind == "payment.get"
        && shown.challenge == asked.challenge
        && shown.origin == origin
        && payment.rp_id == asked.rp_id
        && payment.payee_name == asked.payee_name
        && payment.payee_origin == asked.payee_origin
        && payment.total.currency == asked.currency
        && payment.total.value == asked.value
        && payment.instrument.display_name == asked.instrument_name
        && payment.instrument.icon == asked.instrument_icon
}

/// The flags of authenticator data: the buyer is there, and known to the device.
const CONFIRMED: u8 = 0b0000_0101;
