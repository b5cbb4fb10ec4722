//! Whether money moves. This is the one setting without a default.
//!
//! Settings that are only for a sandbox belong to [`Mode::Sandbox`], so no production gateway can have them.

use payframe_payment_ports::Acquirers;

/// What a gateway is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// No money moves: a simulated acquirer answers, and the test card decides how.
    Sandbox(Sandbox),
    /// Nothing of the sandbox is available. Only the operator's acquirers are asked for money.
    Production,
}

/// The settings that only a sandbox has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// `PAYFRAME_SANDBOX_MERCHANTS`: whether the sandbox's merchants are created, with API keys that everybody knows.
    pub merchants: bool,
    /// `PAYFRAME_SANDBOX_FAULTS`: whether `x-sandbox-fault` is accepted (contract 11.9).
    pub faults: bool,
    /// `PAYFRAME_ALLOW_INSECURE_URLS`: accepts plain http, any port and loopback addresses for merchants' URLs (contract 1.2).
    pub allow_insecure_urls: bool,
    /// `PAYFRAME_REQUIRE_ENCRYPTED_CARDS`: whether frames' calls with an unencrypted card number or security code are refused.
    pub require_encrypted_cards: bool,
}

impl Default for Sandbox {
    /// Lets merchants develop without set-up.
    fn default() -> Sandbox {
        Sandbox {
            merchants: true,
            faults: true,
            allow_insecure_urls: true,
            require_encrypted_cards: false,
        }
    }
}

impl Mode {
    /// The mode of this name, with the defaults of its settings.
    pub fn named(name: &str) -> Option<Mode> {
        match name {
            "sandbox" => Some(Mode::Sandbox(Sandbox::default())),
            "production" => Some(Mode::Production),
            _ => None,
        }
    }

    /// The value of the setting, and the name in the tables that belong to a gateway of this mode.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Sandbox(_) => "sandbox",
            Mode::Production => "production",
        }
    }

    /// What the gateway prints about it at the start, after the address.
    pub fn summary(self, acquirers: &dyn Acquirers) -> &'static str {
        match self {
            Mode::Sandbox(_) => "sandbox: no money moves",
            Mode::Production if acquirers.is_empty() => {
                "production: no terminal has an acquirer, nothing is charged"
            }
            Mode::Production => "production: terminals with an acquirer are charged",
        }
    }

    /// Whether no money moves.
    pub fn is_sandbox(self) -> bool {
        matches!(self, Mode::Sandbox(_))
    }

    /// Whether the sandbox's merchants are created.
    pub fn has_sandbox_merchants(self) -> bool {
        matches!(self, Mode::Sandbox(sandbox) if sandbox.merchants)
    }

    /// Whether `x-sandbox-fault` has an effect.
    pub fn accepts_fault_injection(self) -> bool {
        matches!(self, Mode::Sandbox(sandbox) if sandbox.faults)
    }

    /// Whether tests may advance the clock.
    pub fn has_test_clock(self) -> bool {
        matches!(self, Mode::Sandbox(_))
    }

    /// Whether merchants' URLs may be plain http, of any port, and private.
    pub fn allows_insecure_urls(self) -> bool {
        matches!(self, Mode::Sandbox(sandbox) if sandbox.allow_insecure_urls)
    }

    /// Whether unencrypted card data is refused.
    pub fn requires_encrypted_cards(self) -> bool {
        match self {
            Mode::Sandbox(sandbox) => sandbox.require_encrypted_cards,
            Mode::Production => true,
        }
    }
}

/// The two values and what each is for: the message if the mode is not set.
pub(super) const CHOICE: &str = "
  sandbox     no money moves. Test cards; merchants with API keys that everybody knows; for development and tests.
  production  nothing of the sandbox, and nothing insecure. What has no acquirer charges nobody and says so.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mode_is_read_by_its_name() {
        for name in ["sandbox", "production"] {
            assert_eq!(Mode::named(name).map(Mode::name), Some(name));
        }
        for other in ["", "Sandbox", "live", "test", "1"] {
            assert_eq!(Mode::named(other), None, "{other}");
        }
    }

    #[test]
    fn production_has_nothing_of_the_sandbox() {
        let production = Mode::Production;
        assert!(!production.is_sandbox());
        assert!(!production.has_sandbox_merchants());
        assert!(!production.accepts_fault_injection());
        assert!(!production.allows_insecure_urls());
        assert!(production.requires_encrypted_cards());
        let sandbox = Mode::Sandbox(Sandbox::default());
        assert!(sandbox.is_sandbox());
        assert!(sandbox.has_sandbox_merchants());
        assert!(sandbox.accepts_fault_injection());
        assert!(sandbox.allows_insecure_urls());
        assert!(!sandbox.requires_encrypted_cards());
    }
}
