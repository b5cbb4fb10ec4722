//! The header `x-sandbox-fault`: its name and what it may ask for (contract 11.9).

use payframe_payment_ports::fault_injection::{Fault, FaultError, FaultInjection};
use std::time::Duration;

/// Injects the faults that callers ask for, if it is enabled.
pub struct SandboxFaults {
    is_enabled: bool,
}

impl SandboxFaults {
    /// If it is not enabled, every request for a fault is refused.
    pub fn new(is_enabled: bool) -> SandboxFaults {
        SandboxFaults { is_enabled }
    }
}

impl FaultInjection for SandboxFaults {
    fn header(&self) -> &'static str {
        HEADER
    }

    fn parse(&self, value: &[u8]) -> Result<Fault, FaultError> {
        if !self.is_enabled {
            return Err(FaultError(format!("{HEADER} is not enabled here")));
        }
        read(value).ok_or_else(|| {
            FaultError(format!(
                "{HEADER} must be timeout, 500, drop, or slow:<ms> with 1 to {MAX_DELAY_MS} ms"
            ))
        })
    }
}

fn read(value: &[u8]) -> Option<Fault> {
    match std::str::from_utf8(value).ok()? {
        "timeout" => Some(Fault::Timeout),
        "drop" => Some(Fault::Drop),
        "500" => Some(Fault::ServerError),
        text => {
            let digits = text.strip_prefix("slow:")?;
            // `parse` would accept a sign.
            let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            match digits.parse().ok().filter(|_| is_plain)? {
                delay_ms @ 1..=MAX_DELAY_MS => Some(Fault::Delay(Duration::from_millis(delay_ms))),
                _ => None,
            }
        }
    }
}

const HEADER: &str = "x-sandbox-fault";

const MAX_DELAY_MS: u64 = 60_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_asks_for_one_fault() {
        let delay = |ms| Some(Fault::Delay(Duration::from_millis(ms)));
        for (value, expected) in [
            ("timeout", Some(Fault::Timeout)),
            ("drop", Some(Fault::Drop)),
            ("500", Some(Fault::ServerError)),
            ("slow:1", delay(1)),
            ("slow:0500", delay(500)),
            ("slow:60000", delay(60_000)),
            ("slow:0", None),
            ("slow:60001", None),
            ("slow:+5", None),
            ("slow:-5", None),
            ("slow:5 ", None),
            ("slow:", None),
            ("slow:99999999999999999999", None),
            ("Timeout", None),
            (" drop", None),
            ("501", None),
            ("", None),
        ] {
            let found = SandboxFaults::new(true).parse(value.as_bytes());
            assert_eq!(found.as_ref().ok().copied(), expected, "{value}");
            if let Err(problem) = found {
                assert_eq!(
                    problem.to_string(),
                    "x-sandbox-fault must be timeout, 500, drop, or slow:<ms> with 1 to 60000 ms"
                );
            }
        }
        assert!(SandboxFaults::new(true).parse(b"\xff").is_err());
    }

    #[test]
    fn every_request_is_refused_where_faults_are_not_enabled() {
        for value in ["timeout", "drop", "500", "slow:1", "other"] {
            let found = SandboxFaults::new(false).parse(value.as_bytes());
            assert_eq!(
                found.unwrap_err().to_string(),
                "x-sandbox-fault is not enabled here"
            );
        }
    }
}
