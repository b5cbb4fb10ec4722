//! The issuer that asks for a confirmation by the buyer's device (scenario 314): the devices that buyers have enrolled, what a browser is
//! asked, and whether what a device signed is right.
//!
//! All who use a sandbox share the card, so they share its devices, too: only the newest ones are kept.

mod assertion;
mod devices;
mod registration;

use self::assertion::is_signed;
use self::devices::{Device, Devices};
pub(crate) use self::devices::{DevicesInMemory, StoredDevices};
use self::registration::Credential;
use super::issuer_decision::IssuerDecision;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payframe_card_rules::secret::Secret;
use payframe_money::{Amount, minor_digits};
use payframe_payment_ports::simulator_pages::{Enrolment, Registration};
use payframe_payment_ports::three_ds_server::{Assertion, Confirmation};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use url::Url;

/// The issuer.
#[derive(Clone)]
pub(crate) struct CredentialIssuer {
    devices: Arc<dyn Devices>,
    /// Makes challenges that nobody can guess.
    secret: String,
    /// The origin of the page that enrols devices. Its domain is the one that their credentials belong to.
    origin: String,
}

/// What a browser shows of a payment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShownPayment<'a> {
    /// The merchant.
    pub(crate) payee_name: &'a str,
    /// The merchant's origin.
    pub(crate) payee_origin: Option<&'a str>,
    /// The card, of which the last four digits are shown.
    pub(crate) number: &'a Secret,
    pub(crate) amount: Amount,
    /// ISO 4217 letters.
    pub(crate) currency: &'a str,
}

impl CredentialIssuer {
    /// `origin`: of the page that enrols devices.
    pub(crate) fn new(
        devices: impl Devices + 'static,
        secret: String,
        origin: String,
    ) -> CredentialIssuer {
        CredentialIssuer {
            devices: Arc::new(devices),
            secret,
            origin,
        }
    }

    /// The origin of the page that enrols devices.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// What the page asks a device that is to be enrolled. The challenge is always the same: to enrol a device twice changes nothing.
    pub(crate) fn enrolment(&self) -> Option<Enrolment> {
        Some(Enrolment {
            rp_id: self.rp_id()?,
            challenge: self.challenge("enrolment of a device"),
        })
    }

    /// Keeps a device. Returns whether its registration is right.
    pub(crate) async fn enrol(&self, registration: &Registration) -> Result<bool, sqlx::Error> {
        let Some(asked) = self.enrolment() else {
            return Ok(false);
        };
        let Some(credential) = Credential::of(registration, &asked, &self.origin) else {
            return Ok(false);
        };
        let device = Device {
            id: URL_SAFE_NO_PAD.encode(&credential.id),
            public_key: URL_SAFE_NO_PAD.encode(credential.public_key.to_encoded_point(true)),
        };
        self.devices.keep(device).await?;
        Ok(true)
    }

    /// Whether a device is enrolled.
    pub(crate) async fn has_devices(&self) -> Result<bool, sqlx::Error> {
        Ok(self.rp_id().is_some() && !self.devices.all().await?.is_empty())
    }

    /// What a browser is asked about the payment with this reference. `None`: no device is enrolled.
    pub(crate) async fn confirmation(
        &self,
        reference: &str,
        payment: &ShownPayment<'_>,
    ) -> Result<Option<Confirmation>, sqlx::Error> {
        let devices = self.devices.all().await?;
        Ok(self.asked(reference, payment, &devices))
    }

    /// The decision about what came of a confirmation. `asked_at`: the origin of the page that asked. `assertion`: what the device has
    /// signed; `None`: nothing.
    pub(crate) async fn decide(
        &self,
        reference: &str,
        payment: &ShownPayment<'_>,
        asked_at: &str,
        assertion: Option<&Assertion>,
    ) -> Result<IssuerDecision, sqlx::Error> {
        let Some(assertion) = assertion else {
            return Ok(IssuerDecision::Challenge);
        };
        let devices = self.devices.all().await?;
        let device = devices.iter().find(|device| device.id == assertion.id);
        let asked = self.asked(reference, payment, &devices);
        let is_right = asked.zip(device).is_some_and(|(asked, device)| {
            is_signed(assertion, &asked, asked_at, &device.public_key)
        });
        Ok(match is_right {
            true => IssuerDecision::Authenticated,
            false => IssuerDecision::NotConfirmed,
        })
    }

    fn asked(
        &self,
        reference: &str,
        payment: &ShownPayment<'_>,
        devices: &[Device],
    ) -> Option<Confirmation> {
        let rp_id = self.rp_id().filter(|_| !devices.is_empty())?;
        // Exposed for its last four digits.
        let digits = payment.number.expose();
        let last4 = &digits[digits.len().saturating_sub(4)..];
        let decimals = usize::from(minor_digits(payment.currency).unwrap_or(2));
        Some(Confirmation {
            rp_id,
            credential_ids: devices.iter().map(|device| device.id.clone()).collect(),
            challenge: self.challenge(&format!("confirmation of {reference}")),
            payee_name: Some(payment.payee_name.to_owned()),
            payee_origin: payment.payee_origin.map(str::to_owned),
            instrument_name: format!("•••• {last4}"),
            instrument_icon: ICON.to_owned(),
            currency: payment.currency.to_owned(),
            value: decimal(payment.amount.minor(), decimals),
            timeout_ms: TIMEOUT_MS,
        })
    }

    /// The domain that credentials belong to. `None`: the origin has an address instead of a name, which browsers do not accept.
    fn rp_id(&self) -> Option<String> {
        let url = Url::parse(&self.origin).ok()?;
        url.domain().map(str::to_owned)
    }

    fn challenge(&self, subject: &str) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(format!("{}: {subject}", self.secret)))
    }
}

/// An amount as a decimal number.
fn decimal(minor: u64, digits: usize) -> String {
    let minor = format!("{minor:0>width$}", width = digits + 1);
    let (whole, fraction) = minor.split_at(minor.len() - digits);
    match fraction {
        "" => whole.to_owned(),
        fraction => format!("{whole}.{fraction}"),
    }
}

/// How long a browser waits for the buyer.
const TIMEOUT_MS: u32 = 180_000;

/// A picture of the card, 32 by 20 points.
const ICON: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAUCAYAAADskT9PAAAANUlEQVR42mPQjw34P5CYYdQBA+4AaSvj/wOJRx0wmghHHTC4HPDi/Rui8KgDRhPhqAOGlQMASD69T9hQl5QAAAAASUVORK5CYII=";

#[cfg(test)]
mod tests;
