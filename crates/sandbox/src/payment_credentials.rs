//! The issuer that asks for a confirmation by the buyer's device (scenario 314): the devices that buyers have enrolled, what a browser is
//! asked, and whether what a device signed is right.
//!
//! All who use a sandbox share the card, so they share its devices, too: only the newest ones are kept.

mod assertion;
mod registration;

use self::assertion::is_signed;
use self::registration::Credential;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payframe_money::minor_digits;
use payframe_payment_ports::simulator_pages::{Enrolment, Registration};
use payframe_payment_ports::three_ds_server::{Assertion, Confirmation, ConfirmationRequest};
use payframe_payment_ports::{Clock, Vault};
use payframe_storage::{Database, Subject, query};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use url::Url;

/// The issuer.
#[derive(Clone)]
pub(crate) struct CredentialIssuer {
    pub(crate) records: Database,
    pub(crate) vault: Arc<dyn Vault>,
    pub(crate) clock: Clock,
    /// The gateway's own origin. Its pages enrol the devices, and ask them.
    pub(crate) origin: String,
}

impl CredentialIssuer {
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
        let mut transaction = self.records.write(Subject::Statement).await?;
        query(
            "INSERT INTO payment_credential (credential_id, public_key, made_ms) VALUES (?, ?, ?) \
             ON CONFLICT (credential_id) DO NOTHING",
        )
        .bind(URL_SAFE_NO_PAD.encode(&credential.id))
        .bind(URL_SAFE_NO_PAD.encode(credential.public_key.to_encoded_point(true)))
        .bind(self.clock.now_ms())
        .execute(&mut transaction)
        .await?;
        query(
            "DELETE FROM payment_credential WHERE credential_id NOT IN \
             (SELECT credential_id FROM payment_credential ORDER BY made_ms DESC, credential_id LIMIT ?)",
        )
        .bind(MOST_CREDENTIALS)
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Whether a device is enrolled.
    pub(crate) async fn has_credentials(&self) -> Result<bool, sqlx::Error> {
        Ok(self.rp_id().is_some() && !self.credential_ids().await?.is_empty())
    }

    /// What a browser is asked. `None`: no device is enrolled.
    pub(crate) async fn confirmation(
        &self,
        request: &ConfirmationRequest<'_>,
    ) -> Result<Option<Confirmation>, sqlx::Error> {
        let payment = &request.authentication;
        let credential_ids = self.credential_ids().await?;
        let Some(rp_id) = self.rp_id().filter(|_| !credential_ids.is_empty()) else {
            return Ok(None);
        };
        // Exposed for its last four digits.
        let digits = payment.number.expose();
        let last4 = &digits[digits.len().saturating_sub(4)..];
        let decimals = usize::from(minor_digits(payment.currency).unwrap_or(2));
        Ok(Some(Confirmation {
            rp_id,
            credential_ids,
            challenge: self.challenge(&format!("confirmation of {}", payment.reference)),
            payee_name: Some(request.merchant_name.to_owned()),
            payee_origin: request.merchant_origin.map(str::to_owned),
            instrument_name: format!("•••• {last4}"),
            instrument_icon: ICON.to_owned(),
            currency: payment.currency.to_owned(),
            value: decimal(payment.amount.minor(), decimals),
            timeout_ms: TIMEOUT_MS,
        }))
    }

    /// Whether an enrolled device has signed what the browser was asked.
    pub(crate) async fn is_confirmed(
        &self,
        request: &ConfirmationRequest<'_>,
        assertion: &Assertion,
    ) -> Result<bool, sqlx::Error> {
        let Some(asked) = self.confirmation(request).await? else {
            return Ok(false);
        };
        let mut connection = self.records.read().await?;
        let row = query("SELECT public_key FROM payment_credential WHERE credential_id = ?")
            .bind(&assertion.id)
            .fetch_optional(&mut connection)
            .await?;
        let Some(row) = row else {
            return Ok(false);
        };
        let public_key: &str = row.try_get("public_key")?;
        Ok(is_signed(assertion, &asked, &self.origin, public_key))
    }

    async fn credential_ids(&self) -> Result<Vec<String>, sqlx::Error> {
        let mut connection = self.records.read().await?;
        let rows = query(
            "SELECT credential_id FROM payment_credential ORDER BY made_ms DESC, credential_id",
        )
        .fetch_all(&mut connection)
        .await?;
        let ids = rows.iter();
        ids.map(|row| Ok(row.try_get::<&str>("credential_id")?.to_owned()))
            .collect()
    }

    /// The domain that credentials belong to. `None`: the origin has an address instead of a name, which browsers do not accept.
    fn rp_id(&self) -> Option<String> {
        let url = Url::parse(&self.origin).ok()?;
        url.domain().map(str::to_owned)
    }

    fn challenge(&self, subject: &str) -> String {
        let secret = self
            .vault
            .page_token(&format!("payment credential: {subject}"));
        URL_SAFE_NO_PAD.encode(Sha256::digest(secret.as_bytes()))
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

/// How many devices are kept.
const MOST_CREDENTIALS: i64 = 20;

/// How long a browser waits for the buyer.
const TIMEOUT_MS: u32 = 180_000;

/// A picture of the card, 32 by 20 points.
const ICON: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAUCAYAAADskT9PAAAANUlEQVR42mPQjw34P5CYYdQBA+4AaSvj/wOJRx0wmghHHTC4HPDi/Rui8KgDRhPhqAOGlQMASD69T9hQl5QAAAAASUVORK5CYII=";

#[cfg(test)]
mod tests;
