//! What the operator's files say about log-ins to the back office: the providers at which members log in, and the passwords that nobody may choose.

use crate::StartError;
use crate::config::Config;
use payframe_back_office::leaked_passwords::LeakedPasswords;
use payframe_back_office::login_providers::{LoginProviders, ProviderPlace};

/// The log-in providers of the operator's file.
pub(crate) fn login_providers(config: &Config) -> Result<LoginProviders, StartError> {
    let Some(path) = &config.login_providers else {
        return Ok(LoginProviders::default());
    };
    let place = match config.mode.allows_insecure_urls() {
        true => ProviderPlace::InsecureUrls,
        false => ProviderPlace::SecureUrls,
    };
    LoginProviders::read(path, place).map_err(StartError::LoginProviders)
}

/// The leaked passwords that the program knows, and those of the operator's file.
pub(crate) fn leaked_passwords(config: &Config) -> Result<LeakedPasswords, StartError> {
    LeakedPasswords::open(config.leaked_passwords.as_deref()).map_err(StartError::LeakedPasswords)
}
