//! The facts by which the requests of all creation calls are checked.

use super::call::Call;
use crate::App;
use crate::config::Config;
use payframe_card_rules::expiry::Date;
use payframe_payment_domain::calendar::terminal_day;
use payframe_payment_domain::terms::Terminal;
use payframe_payment_ports::{BinLookup, WalletTokens};

/// The parts of a request outside its body.
pub(crate) struct Headers<'a> {
    pub(crate) plugin_name: Option<&'a str>,
    pub(crate) correlation_id: &'a str,
}

impl<'a> Headers<'a> {
    pub(super) fn of(call: &'a Call) -> Headers<'a> {
        Headers {
            plugin_name: call.plugin_name.as_deref(),
            correlation_id: &call.correlation_id,
        }
    }
}

/// The facts for the checks of a request.
pub(crate) struct Rules<'a> {
    pub(crate) config: &'a Config,
    pub(crate) terminal: &'a Terminal,
    pub(crate) bins: &'a dyn BinLookup,
    pub(crate) wallet_tokens: &'a dyn WalletTokens,
    /// In the terminal's time zone.
    pub(crate) today: Date,
}

impl<'a> Rules<'a> {
    pub(super) fn of(app: &'a App, terminal: &'a Terminal) -> Rules<'a> {
        Rules {
            config: app.config(),
            terminal,
            bins: app.payments().bin_lookup(),
            wallet_tokens: app.payments().wallet_tokens(),
            today: terminal_day(app.clock().now_ms()),
        }
    }
}
