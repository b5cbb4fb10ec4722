//! Log-in providers: the services of companies that say who their people are (OpenID Connect).
//!
//! [`LoginProviders`] has those of the operator's file. [`exchange`] asks one; what it says is checked in [`payframe_login_tokens`]. What a
//! log-in there opens is decided in `provider_login`, and `provider_logout` ends what a provider says is over.

mod authorities;
#[cfg(feature = "checks")]
pub(crate) mod checks;
pub(crate) mod exchange;
mod file;
mod recent_keys;

pub use file::ProviderPlace;

use authorities::Authorities;
use payframe_login_tokens::id_token::Identity;
use payframe_settings_file::SettingsFileError;
use recent_keys::RecentKeys;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use url::Url;
use zeroize::Zeroizing;

/// The log-in providers of an operator. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct LoginProviders(Arc<Vec<LoginProvider>>);

impl LoginProviders {
    /// Reads the operator's file.
    ///
    /// # Errors
    /// The file, or one that it names, is missing or has a value that is not accepted.
    pub fn read(path: &Path, place: ProviderPlace) -> Result<LoginProviders, SettingsFileError> {
        let providers = file::read(path, place)?;
        Ok(LoginProviders(Arc::new(providers)))
    }

    /// All of them, in the order of the file.
    pub(crate) fn all(&self) -> &[LoginProvider] {
        &self.0
    }

    /// The one with this id.
    pub(crate) fn find(&self, id: &str) -> Option<&LoginProvider> {
        self.0.iter().find(|provider| provider.id == id)
    }

    /// Those of a merchant.
    pub(crate) fn of_merchant(&self, merchant_id: &str) -> impl Iterator<Item = &LoginProvider> {
        self.0
            .iter()
            .filter(move |provider| provider.merchant_id == merchant_id)
    }

    /// Whether the members of a merchant log in at its providers alone, so that they have no passwords here.
    pub fn are_only_way_in(&self, merchant_id: &str) -> bool {
        self.of_merchant(merchant_id)
            .any(|provider| provider.is_only_way_in)
    }

    /// Whether that is so for a merchant.
    pub(crate) fn are_only_way_in_for_somebody(&self) -> bool {
        self.0.iter().any(|provider| provider.is_only_way_in)
    }
}

/// One provider. Its log-ins open the back office of one merchant.
#[derive(Debug)]
pub(crate) struct LoginProvider {
    /// Its id in addresses.
    pub(crate) id: String,
    /// Its name on the page.
    pub(crate) name: String,
    /// The merchant whose members log in there.
    pub(crate) merchant_id: String,
    /// The issuer identifier: an address, letter by letter as the provider writes it.
    pub(crate) issuer: String,
    /// How the provider knows this gateway.
    pub(crate) client_id: String,
    client_secret: ClientSecret,
    place: ProviderPlace,
    /// Whom its certificate has to lead to. `None`: a public authority.
    authorities: Option<Authorities>,
    /// Whether it may be in a network that is not public.
    is_private: bool,
    /// Whether the merchant's members log in at a provider alone.
    pub(crate) is_only_way_in: bool,
    /// Methods (`amr`) and classes (`acr`) of a log-in there that count as two factors.
    two_factors: TwoFactors,
    recent_keys: RecentKeys,
}

impl LoginProvider {
    /// Whether a log-in there counts as two factors.
    pub(crate) fn counts_as_two_factors(&self, identity: &Identity) -> bool {
        let has_method = |method| identity.methods.contains(method);
        let has_class = |class: &String| identity.class.as_ref() == Some(class);
        self.two_factors.amr.iter().any(has_method) || self.two_factors.acr.iter().any(has_class)
    }

    /// Where the provider sends browsers back to.
    pub(crate) fn callback(&self, origin: &str) -> String {
        format!("{origin}/office/login/provider/{}/callback", self.id)
    }

    /// Whether the gateway sends anything to an address that the provider names.
    fn may_use(&self, address: &Url) -> bool {
        match address.scheme() {
            "https" => true,
            "http" => self.place == ProviderPlace::InsecureUrls,
            _ => false,
        }
    }
}

#[derive(Debug, Default)]
struct TwoFactors {
    amr: Vec<String>,
    acr: Vec<String>,
}

/// What the gateway proves to the provider that it is the client with.
struct ClientSecret(Zeroizing<String>);

impl fmt::Debug for ClientSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientSecret(…)")
    }
}
