//! Settings of how long something may take before it ends by itself.

use super::{Field, Setting};

pub(super) const IDLE_SECONDS: Setting = Setting {
    variable: "PAYFRAME_IDLE_SECONDS",
    means: "time limit of a session without activity of the buyer",
    field: Field::Seconds(|config| &mut config.idle),
};

pub(super) const HARD_SECONDS: Setting = Setting {
    variable: "PAYFRAME_HARD_SECONDS",
    means: "longest life of a session",
    field: Field::Seconds(|config| &mut config.hard),
};

pub(super) const CHALLENGE_SECONDS: Setting = Setting {
    variable: "PAYFRAME_CHALLENGE_SECONDS",
    means: "time limit of a challenge",
    field: Field::Seconds(|config| &mut config.challenge),
};

pub(super) const REDIRECT_SECONDS: Setting = Setting {
    variable: "PAYFRAME_REDIRECT_SECONDS",
    means: "time limit of an alternative method",
    field: Field::Seconds(|config| &mut config.redirect),
};

pub(super) const OFFER_SECONDS: Setting = Setting {
    variable: "PAYFRAME_OFFER_SECONDS",
    means: "time limit of a currency offer",
    field: Field::Seconds(|config| &mut config.offer),
};

pub(super) const PENDING_SECONDS: Setting = Setting {
    variable: "PAYFRAME_PENDING_SECONDS",
    means: "how long the sandbox keeps a payment pending",
    field: Field::Seconds(|config| &mut config.pending),
};

pub(super) const PREAUTH_SECONDS: Setting = Setting {
    variable: "PAYFRAME_PREAUTH_SECONDS",
    means: "when a pre-authorization that was not captured is released",
    field: Field::Seconds(|config| &mut config.preauth_limit),
};

pub(super) const DELAYED_SECONDS: Setting = Setting {
    variable: "PAYFRAME_DELAYED_SECONDS",
    means: "the same for that of a reservation",
    field: Field::Seconds(|config| &mut config.delayed_limit),
};

pub(super) const CAPTURE_SECONDS: Setting = Setting {
    variable: "PAYFRAME_CAPTURE_SECONDS",
    means: "the same for a sale with explicit capture",
    field: Field::Seconds(|config| &mut config.capture_limit),
};

pub(super) const FULFIL_SECONDS: Setting = Setting {
    variable: "PAYFRAME_FULFIL_SECONDS",
    means: "how long a paid order may wait until its shop tells that the goods are sent, before the books differ",
    field: Field::Seconds(|config| &mut config.fulfil_within),
};
