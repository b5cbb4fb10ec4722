//! Settings of how long records are kept.

use super::{Days, Field, Setting};
use crate::config::Config;

pub(super) const ANSWERS: Setting = days(
    "PAYFRAME_KEEP_ANSWERS_DAYS",
    "how many days answers are kept for calls that are repeated with their idempotency key; at least 1",
    |config| &mut config.retention.answers_days,
    (1, "a whole number of days from 1 on"),
);

pub(super) const EVENTS: Setting = days(
    "PAYFRAME_KEEP_EVENTS_DAYS",
    "how many days events stay in the feed; at least 7",
    |config| &mut config.retention.events_days,
    (7, "a whole number of days from 7 on"),
);

pub(super) const NOTIFICATIONS: Setting = days(
    "PAYFRAME_KEEP_NOTIFICATIONS_DAYS",
    "how many days a notification is kept with its attempts after the last of them; at least 7",
    |config| &mut config.retention.notifications_days,
    (7, "a whole number of days from 7 on"),
);

pub(super) const SESSIONS: Setting = days(
    "PAYFRAME_KEEP_SESSIONS_DAYS",
    "how many days a closed session is kept that has no operation, and the pages and offers of any closed session; at least 1",
    |config| &mut config.retention.sessions_days,
    (1, "a whole number of days from 1 on"),
);

pub(super) const PROOFS: Setting = days(
    "PAYFRAME_KEEP_PROOFS_DAYS",
    "how many days proofs of authentications and messages over ISO 8583 are kept, which refunds and disputes need, and ended decisions about stopped tries; at least 400",
    |config| &mut config.retention.proofs_days,
    (400, "a whole number of days from 400 on"),
);

/// A number of days, with the least of them and the words for it.
const fn days(
    variable: &'static str,
    means: &'static str,
    field: fn(&mut Config) -> &mut u32,
    (least, accepts): (u32, &'static str),
) -> Setting {
    Setting {
        variable,
        means,
        field: Field::Days(Days {
            field,
            least,
            accepts,
        }),
    }
}
