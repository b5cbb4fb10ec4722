//! Settings of how long records are kept.

use super::{Days, Field, Setting};

pub(super) const ANSWERS: Setting = Setting {
    variable: "PAYFRAME_KEEP_ANSWERS_DAYS",
    means: "how many days answers are kept for calls that are repeated with their idempotency key; at least 1",
    field: Field::Days(Days {
        field: |config| &mut config.retention.answers_days,
        least: 1,
        accepts: "a whole number of days from 1 on",
    }),
};

pub(super) const EVENTS: Setting = Setting {
    variable: "PAYFRAME_KEEP_EVENTS_DAYS",
    means: "how many days events stay in the feed; at least 7",
    field: Field::Days(Days {
        field: |config| &mut config.retention.events_days,
        least: 7,
        accepts: "a whole number of days from 7 on",
    }),
};

pub(super) const NOTIFICATIONS: Setting = Setting {
    variable: "PAYFRAME_KEEP_NOTIFICATIONS_DAYS",
    means: "how many days a notification is kept with its attempts after the last of them; at least 7",
    field: Field::Days(Days {
        field: |config| &mut config.retention.notifications_days,
        least: 7,
        accepts: "a whole number of days from 7 on",
    }),
};

pub(super) const SESSIONS: Setting = Setting {
    variable: "PAYFRAME_KEEP_SESSIONS_DAYS",
    means: "how many days a closed session is kept that has no operation, and the pages and offers of any closed session; at least 1",
    field: Field::Days(Days {
        field: |config| &mut config.retention.sessions_days,
        least: 1,
        accepts: "a whole number of days from 1 on",
    }),
};

pub(super) const PROOFS: Setting = Setting {
    variable: "PAYFRAME_KEEP_PROOFS_DAYS",
    means: "how many days proofs of authentications and messages over ISO 8583 are kept, which refunds and disputes need; at least 400",
    field: Field::Days(Days {
        field: |config| &mut config.retention.proofs_days,
        least: 400,
        accepts: "a whole number of days from 400 on",
    }),
};
