//! Settings that name whom a gateway is connected to.

use super::{Field, Setting, Text, keep, shown};

pub(super) const ACQUIRERS: Setting = Setting {
    variable: "PAYFRAME_ACQUIRERS",
    means: "a TOML file with the acquirers, and the terminals that use them",
    field: Field::Text(Text {
        accepts: "a path",
        put: |config, text| keep(Some(Some(text.into())), &mut config.acquirers),
        shown: |config| shown(config.acquirers.as_deref()),
        unset: "none: in production nothing is charged",
    }),
};

pub(super) const THREE_DS: Setting = Setting {
    variable: "PAYFRAME_3DS",
    means: "a TOML file with the directory servers of 3-D Secure, and what they know of the terminals",
    field: Field::Text(Text {
        accepts: "a path",
        put: |config, text| keep(Some(Some(text.into())), &mut config.three_ds),
        shown: |config| shown(config.three_ds.as_deref()),
        unset: "none: in production no buyer is authenticated",
    }),
};

pub(super) const WALLETS: Setting = Setting {
    variable: "PAYFRAME_WALLETS",
    means: "production: a TOML file with the keys that open the tokens of wallets, and the merchants whose tokens these are",
    field: Field::Text(Text {
        accepts: "a path",
        put: |config, text| keep(Some(Some(text.into())), &mut config.wallets),
        shown: |config| shown(config.wallets.as_deref()),
        unset: "none: no token of a wallet opens",
    }),
};

pub(super) const LOGIN_PROVIDERS: Setting = Setting {
    variable: "PAYFRAME_LOGIN_PROVIDERS",
    means: "a TOML file with the providers (OpenID Connect) at which members of the back office may log in",
    field: Field::Text(Text {
        accepts: "a path",
        put: |config, text| keep(Some(Some(text.into())), &mut config.login_providers),
        shown: |config| shown(config.login_providers.as_deref()),
        unset: "none",
    }),
};

pub(super) const LEAKED_PASSWORDS: Setting = Setting {
    variable: "PAYFRAME_LEAKED_PASSWORDS",
    means: "a file with the SHA-1 hashes of leaked passwords, in their order: no member of the back office may choose one of them",
    field: Field::Text(Text {
        accepts: "a path",
        put: |config, text| keep(Some(Some(text.into())), &mut config.leaked_passwords),
        shown: |config| shown(config.leaked_passwords.as_deref()),
        unset: "none: the most frequent ones are refused",
    }),
};
