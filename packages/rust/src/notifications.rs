//! Notifications of the gateway, verified.
//!
//! A notification that is verified comes from the gateway, and is not older than the tolerance. It may come more than once: heed
//! each `event_id` once. It does not replace [`crate::Orders::read`].

use crate::errors::{ErrorKind, PayframeError};
use crate::runtime::{Runtime, System};
use crate::types::{Notice, Notification, Operation};
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use base64::engine::{DecodePaddingMode, Engine};
use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::Sha256;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

/// What a notification tells of. Kinds may be added.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Received {
    /// The money of an order.
    Money(Box<Notification>),
    /// Something else: a terminal under attack, a refund that waits for a second member, a dispute, a page that was changed, or a kind that this version of the package does not know.
    Notice(Box<Notice>),
}

impl Received {
    /// UUID, the same in every attempt.
    #[must_use]
    pub fn event_id(&self) -> &str {
        match self {
            Self::Money(notification) => &notification.event_id,
            Self::Notice(notice) => &notice.event_id,
        }
    }

    /// The operation, if it is about money.
    #[must_use]
    pub fn operation(&self) -> Option<&Operation> {
        match self {
            Self::Money(notification) => Some(&notification.operation),
            Self::Notice(_) => None,
        }
    }
}

/// The event of a notification, by the headers of Standard Webhooks 1.0.0. [`NotificationVerifier`] has options.
///
/// - `headers`: pairs of name and value, in any letter case: a `HeaderMap` of the crate `http`, or any list or map of texts.
/// - `body`: as it arrived, before any JSON parser.
/// - `secrets`: as the gateway printed them, `whsec_…`: the present one, and while it changes also the next.
///
/// # Errors
///
/// Of kind [`ErrorKind::Notification`]: answer 400 then. The code is `header_missing`, `timestamp_malformed`, `timestamp_too_old`, `timestamp_too_new`,
/// `signature_malformed`, `signature_mismatch` or `body_malformed`. `bad_value` if a secret is none.
pub fn verify_notification<N: AsRef<str>, V: AsRef<[u8]>>(
    headers: impl IntoIterator<Item = (N, V)>,
    body: &[u8],
    secrets: &[impl AsRef<str>],
) -> Result<Received, PayframeError> {
    NotificationVerifier::new(secrets)?.verify(headers, body)
}

/// Verifies notifications. It holds the secrets, and shows them nowhere.
#[derive(Clone)]
pub struct NotificationVerifier {
    secrets: Vec<NotificationSecret>,
    tolerance: Duration,
    runtime: Arc<dyn Runtime>,
}

#[derive(Clone)]
struct NotificationSecret {
    /// As it was printed.
    text: String,
    /// What its base64 says.
    key: Vec<u8>,
}

impl NotificationVerifier {
    /// With secrets as the gateway printed them, `whsec_…`: the present one, and while it changes also the next.
    ///
    /// # Errors
    ///
    /// `bad_value`
    pub fn new(secrets: &[impl AsRef<str>]) -> Result<Self, PayframeError> {
        let secrets: Option<Vec<_>> = secrets.iter().map(|text| secret(text.as_ref())).collect();
        match secrets {
            Some(secrets) if !secrets.is_empty() => Ok(Self {
                secrets,
                tolerance: Duration::from_secs(300),
                runtime: Arc::new(System),
            }),
            _ => Err(PayframeError::refused_value(
                "secrets",
                "must be secrets as the gateway printed them: whsec_ and base64",
            )),
        }
    }

    /// How far the time of sending may be from now: up to a day, five minutes by default.
    ///
    /// # Errors
    ///
    /// `bad_value`
    pub fn tolerance(mut self, tolerance: Duration) -> Result<Self, PayframeError> {
        if tolerance > Duration::from_secs(86_400) {
            return Err(PayframeError::refused_value(
                "tolerance",
                "must not be longer than a day",
            ));
        }
        self.tolerance = tolerance;
        Ok(self)
    }

    /// Time, for tests.
    #[must_use]
    pub fn runtime(mut self, runtime: impl Runtime + 'static) -> Self {
        self.runtime = Arc::new(runtime);
        self
    }

    /// The event of a notification, by the headers of Standard Webhooks 1.0.0: `webhook-id`, `webhook-timestamp` and `webhook-signature`.
    ///
    /// # Errors
    ///
    /// Those of [`verify_notification`].
    pub fn verify<N: AsRef<str>, V: AsRef<[u8]>>(
        &self,
        headers: impl IntoIterator<Item = (N, V)>,
        body: &[u8],
    ) -> Result<Received, PayframeError> {
        let named = named(headers);
        let id = header(&named, "webhook-id")?;
        let timestamp = header(&named, "webhook-timestamp")?;
        let given = signatures(header(&named, "webhook-signature")?)?;
        self.check_time(timestamp, "webhook-timestamp")?;
        let parts = [id.as_bytes(), b".", timestamp.as_bytes(), b".", body];
        self.check_signatures(&given, &parts, |secret| &secret.key)?;
        event(body, Some(id))
    }

    /// The event of a notification, by the gateway's own header: `X-Signature: t=<seconds>,v1=<hex>`, with one `v1` for each valid secret.
    ///
    /// Every signed notification carries both forms. Use this one where the other headers do not arrive.
    ///
    /// # Errors
    ///
    /// Those of [`verify_notification`].
    pub fn verify_x_signature(
        &self,
        x_signature: &str,
        body: &[u8],
    ) -> Result<Received, PayframeError> {
        if x_signature.is_empty() {
            return Err(missing("X-Signature"));
        }
        let mut timestamp = "";
        let mut given = Vec::new();
        for part in x_signature.split(',') {
            match part.trim().split_once('=') {
                Some(("t", seconds)) => timestamp = seconds,
                Some(("v1", hex)) if given.len() < MOST_SIGNATURES => given.extend(from_hex(hex)),
                // Later versions.
                _ => {}
            }
        }
        if given.is_empty() {
            return Err(no_signature("X-Signature"));
        }
        self.check_time(timestamp, "X-Signature")?;
        let parts = [timestamp.as_bytes(), b".", body];
        self.check_signatures(&given, &parts, |secret| secret.text.as_bytes())?;
        event(body, None)
    }

    fn check_time(&self, text: &str, name: &str) -> Result<(), PayframeError> {
        let is_time =
            (1..=12).contains(&text.len()) && text.bytes().all(|one| one.is_ascii_digit());
        let sent = text.parse().ok().filter(|_| is_time);
        let Some(sent) = sent.map(|seconds| UNIX_EPOCH + Duration::from_secs(seconds)) else {
            return Err(refused(
                "timestamp_malformed",
                format!("The header {name} has no time in seconds."),
            ));
        };
        let (now, tolerance) = (self.runtime.now(), self.tolerance);
        let is_above = |age: Duration| age > tolerance;
        if now.duration_since(sent).is_ok_and(is_above) {
            return Err(refused(
                "timestamp_too_old",
                format!(
                    "The notification was sent more than {} seconds ago.",
                    tolerance.as_secs()
                ),
            ));
        }
        if sent.duration_since(now).is_ok_and(is_above) {
            return Err(refused(
                "timestamp_too_new",
                format!(
                    "The notification is dated more than {} seconds ahead. Check the clock.",
                    tolerance.as_secs()
                ),
            ));
        }
        Ok(())
    }

    fn check_signatures<'a>(
        &'a self,
        given: &[Vec<u8>],
        parts: &[&[u8]],
        key: impl Fn(&'a NotificationSecret) -> &'a [u8],
    ) -> Result<(), PayframeError> {
        let mut fits = false;
        for secret in &self.secrets {
            // A key of any length is one.
            let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key(secret)) else {
                continue;
            };
            for part in parts {
                mac.update(part);
            }
            for signature in given {
                // All are compared, each in constant time: how long it takes tells nothing of the secrets.
                fits |= mac.clone().verify_slice(signature).is_ok();
            }
        }
        if fits {
            return Ok(());
        }
        Err(refused(
            "signature_mismatch",
            "No signature fits. Check the secret, and that the body is as it arrived.",
        ))
    }
}

impl fmt::Debug for NotificationVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotificationVerifier")
            .field("tolerance", &self.tolerance)
            .finish_non_exhaustive()
    }
}

/// `None` if it is no secret.
fn secret(text: &str) -> Option<NotificationSecret> {
    let encoded = text.strip_prefix(PREFIX).unwrap_or(text);
    let key = LENIENT.decode(encoded).ok()?;
    (key.len() >= 16).then(|| NotificationSecret {
        text: format!("{PREFIX}{encoded}"),
        key,
    })
}

/// The first header of each name, in small letters.
fn named<N: AsRef<str>, V: AsRef<[u8]>>(
    headers: impl IntoIterator<Item = (N, V)>,
) -> HashMap<String, String> {
    let mut named = HashMap::new();
    for (name, value) in headers {
        let value = || String::from_utf8_lossy(value.as_ref()).into_owned();
        named
            .entry(name.as_ref().to_ascii_lowercase())
            .or_insert_with(value);
    }
    named
}

fn header<'a>(
    named: &'a HashMap<String, String>,
    name: &'static str,
) -> Result<&'a str, PayframeError> {
    match named.get(name) {
        Some(text) if !text.is_empty() => Ok(text),
        _ => Err(missing(name)),
    }
}

/// The signatures of version 1. Others are left out.
fn signatures(text: &str) -> Result<Vec<Vec<u8>>, PayframeError> {
    let of_version_1 = text.split(' ').filter_map(|part| {
        let bytes = STANDARD.decode(part.strip_prefix("v1,")?).ok()?;
        (bytes.len() == 32).then_some(bytes)
    });
    let found: Vec<_> = of_version_1.take(MOST_SIGNATURES).collect();
    if found.is_empty() {
        return Err(no_signature("webhook-signature"));
    }
    Ok(found)
}

/// The 32 bytes of 64 hex digits.
fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(byte).collect()
}

/// `id` is that of the header, if it has one.
fn event(body: &[u8], id: Option<&str>) -> Result<Received, PayframeError> {
    read(body)
        .filter(|event| id.is_none_or(|id| id == event.event_id()))
        .ok_or_else(|| {
            refused(
                "body_malformed",
                "The body is no notification of the gateway.",
            )
        })
}

/// An operation that is there has to be whole: then it is about money.
fn read(body: &[u8]) -> Option<Received> {
    let event: Value = serde_json::from_slice(body).ok()?;
    Some(if event.get("operation").is_some() {
        Received::Money(serde_json::from_value(event).ok()?)
    } else {
        Received::Notice(serde_json::from_value(event).ok()?)
    })
}

fn missing(name: &str) -> PayframeError {
    refused(
        "header_missing",
        format!("The header {name} is missing. The terminal may have no notification secret."),
    )
}

fn no_signature(name: &str) -> PayframeError {
    refused(
        "signature_malformed",
        format!("The header {name} has no signature of version 1."),
    )
}

fn refused(code: &str, message: impl Into<String>) -> PayframeError {
    PayframeError::new(ErrorKind::Notification, code, message)
}

/// The gateway sends one for each valid secret.
const MOST_SIGNATURES: usize = 8;
const PREFIX: &str = "whsec_";
/// Secrets are read with and without padding, as the packages of other languages do.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);
