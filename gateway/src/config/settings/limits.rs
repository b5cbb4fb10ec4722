//! Settings that limit what one process, one key, one address or one card may do.

use super::{Field, Setting, Text, keep};

pub(super) const MERCHANT_CALLS_PER_SECOND: Setting = Setting {
    variable: "PAYFRAME_MERCHANT_CALLS_PER_SECOND",
    means: "calls a second allowed for one API key; a burst may be twice as many",
    field: Field::Count(|config| &mut config.merchant_calls_per_second),
};

pub(super) const MERCHANT_TOTAL_CALLS: Setting = Setting {
    variable: "PAYFRAME_MERCHANT_TOTAL_CALLS_PER_SECOND",
    means: "the same for all API keys of one merchant together",
    field: Field::Text(Text {
        accepts: "a whole number from 1 on",
        put: |config, text| {
            let number = text.parse().ok().filter(|number| *number > 0);
            keep(number.map(Some), &mut config.merchant_total_calls)
        },
        shown: |config| config.merchant_total_calls.map(|number| number.to_string()),
        unset: "ten times that of one key",
    }),
};

pub(super) const ADDRESS_CALLS: Setting = Setting {
    variable: "PAYFRAME_ADDRESS_CALLS_PER_SECOND",
    means: "the same for all browsers with one address together",
    field: Field::Count(|config| &mut config.address_calls_per_second),
};

pub(super) const CALLS_AT_WORK: Setting = Setting {
    variable: "PAYFRAME_CALLS_AT_WORK",
    means: "calls and pages that a process works on at a time; as many of payments that have begun wait for a second, and a quarter as many others; the rest is answered 503",
    field: Field::Count(|config| &mut config.calls_at_work),
};

pub(super) const CONNECTIONS_PER_ADDRESS: Setting = Setting {
    variable: "PAYFRAME_CONNECTIONS_PER_ADDRESS",
    means: "connections that one address may have at once; not limited where PAYFRAME_PROXIES says that a proxy is in front",
    field: Field::Count(|config| &mut config.connections_per_address),
};

pub(super) const REFUSALS_PER_CARD: Setting = Setting {
    variable: "PAYFRAME_REFUSALS_PER_CARD",
    means: "refusals of issuers in an hour after which forms of the merchant charge that card no more; 0: any number",
    field: Field::Text(Text {
        accepts: "a whole number from 0 on",
        put: |config, text| keep(text.parse().ok().map(Some), &mut config.refusals_per_card),
        shown: |config| config.refusals_per_card.map(|number| number.to_string()),
        unset: "10 in production, any number in a sandbox",
    }),
};
