//! Settings of the vault's keys, and of the token with the key that wraps them.

use super::super::{Config, ConfigError};
use super::{Field, Setting, Text, keep};
use payframe_card_rules::secret::Secret;
use payframe_pkcs11::TokenSettings;
use payframe_vault::is_wrapping_key_name;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is set of the token that wraps the vault's keys: all that it needs, or nothing.
#[derive(Clone, Debug, Default)]
pub struct TokenConfig {
    module: Option<PathBuf>,
    token: Option<String>,
    key: Option<String>,
    pin: Option<Arc<Secret>>,
    pin_file: Option<PathBuf>,
    pin_command: Option<String>,
}

/// Where a token's PIN is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pin<'a> {
    /// In the settings.
    Text(&'a Secret),
    /// In a file.
    File(&'a Path),
    /// A program prints it.
    Command(&'a str),
}

pub(super) const KEY: Setting = Setting {
    variable: "PAYFRAME_VAULT_KEY",
    means: "the vault's key, 32 bytes as base64: encrypts card numbers and secrets; with a token as `vault wrap` prints it",
    field: Field::Text(Text {
        accepts: "32 bytes as base64",
        put: |config, text| keep(Some(Some(text)), &mut config.vault_key),
        shown: |config| config.vault_key.clone(),
        unset: "the file `vault.key` in the folder",
    }),
};

pub(super) const KEY_FILE: Setting = Setting {
    variable: "PAYFRAME_VAULT_KEY_FILE",
    means: "the file of the vault's keys; name one that is apart from the folder, so that nobody copies keys and data together",
    field: Field::Text(Text {
        accepts: "a path",
        put: |config, text| keep(Some(Some(text.into())), &mut config.vault_key_file),
        shown: |_| None,
        unset: "`vault.key` in the folder",
    }),
};

pub(super) const KEY_COMMAND: Setting = Setting {
    variable: "PAYFRAME_VAULT_KEY_COMMAND",
    means: "a program with arguments that prints the vault's keys at the start, one in a line, the current one first; started without a shell",
    field: Field::Text(Text {
        accepts: COMMAND,
        put: |config, text| keep(command(text), &mut config.vault_key_command),
        shown: |config| config.vault_key_command.clone(),
        unset: "none",
    }),
};

pub(super) const OLD_KEYS: Setting = Setting {
    variable: "PAYFRAME_VAULT_OLD_KEYS",
    means: "earlier keys, separated by commas, to decrypt what they encrypted",
    field: Field::Text(Text {
        accepts: "keys of 32 bytes as base64, separated by commas",
        put: |config, text| keep(Some(Some(text)), &mut config.vault_old_keys),
        shown: |config| config.vault_old_keys.clone(),
        unset: "none",
    }),
};

pub(super) const MODULE: Setting = Setting {
    variable: "PAYFRAME_PKCS11_MODULE",
    means: "the PKCS #11 library of an HSM; with it the vault's keys are wrapped by a key that never leaves the HSM. Not in released programs, which are linked statically",
    field: Field::Text(Text {
        accepts: "a path",
        put: |config, text| keep(Some(Some(text.into())), &mut config.token.module),
        shown: |_| None,
        unset: "none: the keys are in clear",
    }),
};

pub(super) const TOKEN: Setting = Setting {
    variable: "PAYFRAME_PKCS11_TOKEN",
    means: "the label of the token in the HSM",
    field: Field::Text(Text {
        accepts: "a label of 1 to 32 characters",
        put: |config, text| {
            let is_one = (1..=32).contains(&text.len());
            keep(is_one.then_some(Some(text)), &mut config.token.token)
        },
        shown: |_| None,
        unset: "none",
    }),
};

pub(super) const WRAPPING_KEY: Setting = Setting {
    variable: "PAYFRAME_PKCS11_KEY",
    means: "the label of the AES key in the token that wraps; `vault wrap --make-key` makes it",
    field: Field::Text(Text {
        accepts: "a label of 1 to 32 letters, digits, points, hyphens and underscores",
        put: |config, text| {
            let is_one = is_wrapping_key_name(&text);
            keep(is_one.then_some(Some(text)), &mut config.token.key)
        },
        shown: |_| None,
        unset: "none",
    }),
};

pub(super) const PIN: Setting = Setting {
    variable: "PAYFRAME_PKCS11_PIN",
    means: "the user's PIN of the token",
    field: Field::Text(Text {
        accepts: "a PIN",
        put: |config, text| {
            let pin = Arc::new(Secret::new(text));
            keep(Some(Some(pin)), &mut config.token.pin)
        },
        shown: |_| None,
        unset: "from one of the next two",
    }),
};

pub(super) const PIN_FILE: Setting = Setting {
    variable: "PAYFRAME_PKCS11_PIN_FILE",
    means: "a file with the PIN",
    field: Field::Text(Text {
        accepts: "a path",
        put: |config, text| keep(Some(Some(text.into())), &mut config.token.pin_file),
        shown: |_| None,
        unset: "none",
    }),
};

pub(super) const PIN_COMMAND: Setting = Setting {
    variable: "PAYFRAME_PKCS11_PIN_COMMAND",
    means: "a program with arguments that prints the PIN; started without a shell",
    field: Field::Text(Text {
        accepts: COMMAND,
        put: |config, text| keep(command(text), &mut config.token.pin_command),
        shown: |_| None,
        unset: "none",
    }),
};

const COMMAND: &str = "a program and its arguments, separated by blanks, without quotes";

fn command(text: String) -> Option<Option<String>> {
    (!text.trim().is_empty()).then_some(Some(text))
}

impl TokenConfig {
    /// The token and its PIN, if one is set.
    ///
    /// # Errors
    /// Something is missing, or is there twice.
    pub(crate) fn complete(&self) -> Result<Option<(TokenSettings, Pin<'_>)>, ConfigError> {
        let module = MODULE.variable;
        let alone = |missing| {
            Err(ConfigError::Alone {
                missing,
                given: module,
            })
        };
        let given = [
            (TOKEN.variable, self.token.is_some()),
            (WRAPPING_KEY.variable, self.key.is_some()),
            (PIN.variable, self.pin.is_some()),
            (PIN_FILE.variable, self.pin_file.is_some()),
            (PIN_COMMAND.variable, self.pin_command.is_some()),
        ];
        let Some(path) = self.module.clone() else {
            return match given.into_iter().find(|(_, is_set)| *is_set) {
                Some((given, _)) => Err(ConfigError::Alone {
                    missing: module,
                    given,
                }),
                None => Ok(None),
            };
        };
        let pin = match (&self.pin, &self.pin_file, &self.pin_command) {
            (Some(pin), None, None) => Pin::Text(pin),
            (None, Some(file), None) => Pin::File(file),
            (None, None, Some(command)) => Pin::Command(command),
            (None, None, None) => return alone(PIN.variable),
            (Some(_), Some(_), _) => return together(PIN.variable, PIN_FILE.variable),
            (Some(_), _, Some(_)) => return together(PIN.variable, PIN_COMMAND.variable),
            (None, Some(_), Some(_)) => return together(PIN_FILE.variable, PIN_COMMAND.variable),
        };
        match (self.token.clone(), self.key.clone()) {
            (Some(token), Some(key)) => {
                let settings = TokenSettings {
                    module: path,
                    token,
                    key,
                };
                Ok(Some((settings, pin)))
            }
            (None, _) => alone(TOKEN.variable),
            (_, None) => alone(WRAPPING_KEY.variable),
        }
    }
}

fn together<T>(one: &'static str, other: &'static str) -> Result<T, ConfigError> {
    Err(ConfigError::Together { one, other })
}

/// Compares the settings of this file with each other.
pub(in super::super) fn check(config: &Config) -> Result<(), ConfigError> {
    let places = [
        (KEY.variable, config.vault_key.is_some()),
        (KEY_COMMAND.variable, config.vault_key_command.is_some()),
        (KEY_FILE.variable, config.vault_key_file.is_some()),
    ];
    let mut given = places.into_iter().filter(|(_, is_set)| *is_set);
    if let (Some((one, _)), Some((other, _))) = (given.next(), given.next()) {
        return together(one, other);
    }
    config.token.complete().map(drop)
}
