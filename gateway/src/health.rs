//! `payframe-gateway health`: asks the gateway that runs on this machine with the same settings whether it is well.
//!
//! For service managers and container runtimes, whose images have no other program that could ask. It reads the settings and nothing else: no
//! table is opened.

use payframe_gateway::config::Config;
use payframe_gateway::operator::HealthQuestion;
use std::error::Error;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

/// Asks, and fails unless the answer is good.
pub(crate) async fn ask(config: &Config, question: &HealthQuestion) -> Result<(), Box<dyn Error>> {
    let path = if question.ready { "ready" } else { "health" };
    let url = format!("{}/{path}", address(config)?);
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(TIMEOUT)
        // The certificate is for the name that buyers use, and nothing secret is sent: what counts is that this machine answers.
        .danger_accept_invalid_certs(true)
        .build()?;
    let answer = client.get(&url).send().await;
    let status = answer
        .map_err(|problem| match problem.is_timeout() {
            true => format!("{url} does not answer within {} s", TIMEOUT.as_secs()),
            false => format!("nobody answers at {url}"),
        })?
        .status();
    match status.is_success() {
        true => Ok(()),
        false => Err(format!("{url} answers {status}").into()),
    }
}

/// Scheme, host and port at which the gateway of these settings can be asked from this machine.
fn address(config: &Config) -> Result<String, Box<dyn Error>> {
    let mut listen = config.listen;
    if listen.port() == 0 {
        return Err("PAYFRAME_LISTEN has port 0; a gateway that is asked for its health needs a port that is known".into());
    }
    if listen.ip().is_unspecified() {
        listen = match listen {
            SocketAddr::V4(_) => SocketAddr::from((Ipv4Addr::LOCALHOST, listen.port())),
            SocketAddr::V6(_) => SocketAddr::from((Ipv6Addr::LOCALHOST, listen.port())),
        };
    }
    let scheme = match config.tls_certificate {
        Some(_) => "https",
        None => "http",
    };
    Ok(format!("{scheme}://{listen}"))
}

/// How long the gateway may take to answer.
const TIMEOUT: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests {
    // A panic fails the test.
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn check(listen: &str, certificate: Option<&str>, expected: &str) {
        let mut config = Config::sandbox();
        config.listen = listen.parse().unwrap();
        config.tls_certificate = certificate.map(Into::into);
        assert_eq!(address(&config).unwrap(), expected);
    }

    #[test]
    fn an_address_for_everybody_is_asked_at_this_machine() {
        check("127.0.0.1:8787", None, "http://127.0.0.1:8787");
        check("0.0.0.0:8787", None, "http://127.0.0.1:8787");
        check("[::]:8787", None, "http://[::1]:8787");
        check("10.0.0.7:443", Some("cert.pem"), "https://10.0.0.7:443");
    }

    #[test]
    fn a_port_that_nobody_knows_cannot_be_asked() {
        let mut config = Config::sandbox();
        config.listen.set_port(0);
        let said = address(&config).unwrap_err().to_string();
        assert!(said.contains("PAYFRAME_LISTEN"), "{said}");
    }
}
