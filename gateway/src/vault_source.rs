//! Where the vault's keys come from: a setting, the output of a command or the file in the folder; in clear, or wrapped by a key of a token.

use crate::StartError;
use crate::config::{Config, Pin};
use crate::secret_command::printed_by;
use payframe_pkcs11::{LogIn, Token, TokenError};
use payframe_vault::{KeyFile, KeyWrapping, Keyring, KeyringError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zeroize::Zeroizing;

/// The keys as they were given; none is unwrapped yet.
pub(crate) struct VaultSource {
    /// The current key, unless it is in the file.
    pub(crate) key: Option<Zeroizing<String>>,
    /// Further keys.
    pub(crate) others: Vec<Zeroizing<String>>,
    pub(crate) file: KeyFile,
}

impl VaultSource {
    /// Reads the settings, and the output of the command that they name.
    pub(crate) async fn of(
        config: &Config,
        token: Option<Arc<Token>>,
    ) -> Result<VaultSource, StartError> {
        let mut others: Vec<_> = config
            .vault_old_keys
            .iter()
            .flat_map(|keys| keys.split(','))
            .map(|key| Zeroizing::new(key.to_owned()))
            .collect();
        let mut key = config.vault_key.clone().map(Zeroizing::new);
        if let Some(command) = &config.vault_key_command {
            let printed = printed_by("PAYFRAME_VAULT_KEY_COMMAND", command).await?;
            let mut lines = printed.lines().map(|line| Zeroizing::new(line.to_owned()));
            key = lines.next();
            others.extend(lines);
        }
        let wrapping = token.map(|token| token as Arc<dyn KeyWrapping>);
        Ok(VaultSource {
            key,
            others,
            file: KeyFile::new(key_file(config), wrapping),
        })
    }

    /// Whether the keys are in clear in the folder of the data: whoever copies it can read everything.
    pub(crate) fn lies_beside_data(&self, data: &Path) -> bool {
        self.key.is_none() && !self.file.is_wrapped() && self.file.path().parent() == Some(data)
    }

    /// Whether there is a key, so that none has to be made.
    pub(crate) fn has_key(&self) -> bool {
        self.key.is_some() || self.file.path().exists()
    }

    /// Opens the keys. A file that is missing is made.
    pub(crate) fn open(self) -> Result<Keyring, KeyringError> {
        let others: Vec<&str> = self.others.iter().map(|key| key.as_str()).collect();
        let others = Zeroizing::new(others.join(","));
        let others = Some(others.as_str()).filter(|others| !others.is_empty());
        let key = self.key.as_ref().map(|key| key.as_str());
        Keyring::open(key, others, self.file)
    }
}

/// Where the key file is, or would be made.
fn key_file(config: &Config) -> PathBuf {
    let in_folder = || config.data.join("vault.key");
    config.vault_key_file.clone().unwrap_or_else(in_folder)
}

/// The token of the settings. `None`: they name none.
pub(crate) async fn token(config: &Config, log_in: LogIn) -> Result<Option<Token>, StartError> {
    let Some((settings, pin)) = config.token.complete()? else {
        return Ok(None);
    };
    let pin = match pin {
        // The token asks for it.
        Pin::Text(pin) => Zeroizing::new(pin.expose().to_owned()),
        Pin::File(path) => {
            let text = std::fs::read_to_string(path).map_err(StartError::PinFile)?;
            let text = Zeroizing::new(text);
            Zeroizing::new(text.trim_end_matches(['\r', '\n']).to_owned())
        }
        Pin::Command(command) => printed_by("PAYFRAME_PKCS11_PIN_COMMAND", command).await?,
    };
    // A module may ask a device on the network.
    let opened = tokio::task::spawn_blocking(move || Token::open(settings, &pin, log_in)).await;
    match opened {
        Ok(opened) => Ok(Some(opened?)),
        Err(ended) => Err(TokenError::Call(ended.to_string()).into()),
    }
}
