//! What the signature of a request and of an answer covers, and the headers that carry it.
//!
//! The first line says whether a text is a request or an answer, so that neither can stand for the other. An answer is signed with the id
//! of its request: a stored one does not fit another request.

use crate::error::ExchangeError;
use crate::secrets::Secrets;
use payframe_payment_ports::Clock;
use reqwest::header::HeaderMap;

/// The version of the protocol that this gateway speaks.
pub(crate) const PROTOCOL: &str = "1";

pub(crate) const PROTOCOL_HEADER: &str = "payframe-protocol";
pub(crate) const ID_HEADER: &str = "payframe-id";
pub(crate) const TIMESTAMP_HEADER: &str = "payframe-timestamp";
pub(crate) const SIGNATURE_HEADER: &str = "payframe-signature";

/// How far the clocks of gateway and adapter may be apart, in seconds.
pub(crate) const CLOCK_TOLERANCE_SECONDS: i64 = 300;

/// The headers of a request that belong to its signature.
#[derive(Clone, Debug)]
pub(crate) struct SignedHeaders {
    pub(crate) protocol: &'static str,
    pub(crate) id: String,
    pub(crate) timestamp: String,
    pub(crate) signature: String,
}

impl SignedHeaders {
    /// Signs a request.
    pub(crate) fn of_request(
        secrets: &Secrets,
        id: String,
        seconds: i64,
        path: &str,
        body: &[u8],
    ) -> SignedHeaders {
        let timestamp = seconds.to_string();
        let head = format!("request\n{id}\n{timestamp}\nPOST\n{path}\n");
        SignedHeaders {
            protocol: PROTOCOL,
            signature: secrets.sign(&[head.as_bytes(), body]),
            id,
            timestamp,
        }
    }
}

/// Checks that an answer belongs to the request with this id, was made now, and comes from a holder of a secret.
pub(crate) fn check_answer(
    secrets: &Secrets,
    clock: &Clock,
    id: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<(), ExchangeError> {
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let timestamp = header(TIMESTAMP_HEADER).ok_or(ExchangeError::NotSigned)?;
    let signature = header(SIGNATURE_HEADER).ok_or(ExchangeError::NotSigned)?;
    let head = format!("answer\n{id}\n{timestamp}\n200\n");
    if !secrets.have_signed(&[head.as_bytes(), body], signature) {
        return Err(ExchangeError::WrongSignature);
    }
    let seconds: i64 = timestamp.parse().map_err(|_| ExchangeError::NotSigned)?;
    let apart = seconds.saturating_sub(clock.now_ms() / 1000);
    if apart.saturating_abs() > CLOCK_TOLERANCE_SECONDS {
        return Err(ExchangeError::Stale { seconds: apart });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of `docs/acquirer-protocol.md`, which adapters are checked with.
    #[test]
    fn the_example_of_the_document_is_signed_as_it_says() {
        let document = include_str!("../../../docs/acquirer-protocol.md");
        let after = |mark: &str| document.split(mark).nth(1).unwrap();
        let line = |mark: &str| after(mark).lines().next().unwrap();
        let secret = after("Secret `").split('`').next().unwrap();
        let path = after("path `").split('`').next().unwrap();
        let body = after("payframe-signature: ").lines().nth(2).unwrap();
        let signed = SignedHeaders::of_request(
            &Secrets::parse(secret).unwrap(),
            line("payframe-id: ").to_owned(),
            line("payframe-timestamp: ").parse().unwrap(),
            path,
            body.as_bytes(),
        );
        assert_eq!(signed.signature, line("payframe-signature: "));
    }
}
