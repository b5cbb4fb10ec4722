//! Switches whose value depends on the mode while nobody sets them.

use super::{Field, Setting, Text, keep};

pub(super) const CARD_TESTING_RULES: Setting = Setting {
    variable: "PAYFRAME_CARD_TESTING_RULES",
    means: "whether the rules against card testing apply at terminals that do not set it themselves",
    field: Field::Text(Text {
        accepts: ON_OR_OFF,
        put: |config, text| keep(read(&text).map(Some), &mut config.card_testing_rules),
        shown: |config| config.card_testing_rules.map(word),
        unset: "`on` in production, `off` in a sandbox",
    }),
};

pub(super) const FORM_WITHOUT_SCRIPTS: Setting = Setting {
    variable: "PAYFRAME_FORM_WITHOUT_SCRIPTS",
    means: "whether browsers without scripts may pay by a plain form, which sends the card by TLS alone",
    field: Field::Text(Text {
        accepts: ON_OR_OFF,
        put: |config, text| keep(read(&text).map(Some), &mut config.form_without_scripts),
        shown: |config| config.form_without_scripts.map(word),
        unset: "`off` in production and with `PAYFRAME_REQUIRE_ENCRYPTED_CARDS`, else `on`",
    }),
};

const ON_OR_OFF: &str = "on or off";

fn read(text: &str) -> Option<bool> {
    match text {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

fn word(is_on: bool) -> String {
    String::from(if is_on { "on" } else { "off" })
}
