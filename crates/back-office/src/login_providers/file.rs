//! The file that `PAYFRAME_LOGIN_PROVIDERS` names. What cannot be used is refused with the file, the member, and what is accepted.

use super::authorities::Authorities;
use super::recent_keys::RecentKeys;
use super::{ClientSecret, LoginProvider, TwoFactors};
use payframe_settings_file::{SettingsFile, SettingsFileError};
use serde::Deserialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use url::Url;
use zeroize::Zeroizing;

/// Where the file is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderPlace {
    /// Only https, as in production.
    SecureUrls,
    /// Also http and any address, for a sandbox on a developer's machine.
    InsecureUrls,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileMembers {
    #[serde(default)]
    provider: Vec<ProviderMembers>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderMembers {
    id: String,
    name: String,
    merchant: String,
    issuer: String,
    client_id: String,
    client_secret_file: String,
    ca_file: Option<PathBuf>,
    #[serde(default)]
    private_network: bool,
    #[serde(default)]
    only_way_in: bool,
    #[serde(default)]
    two_factors_amr: Vec<String>,
    #[serde(default)]
    two_factors_acr: Vec<String>,
}

pub(super) fn read(
    path: &Path,
    place: ProviderPlace,
) -> Result<Vec<LoginProvider>, SettingsFileError> {
    let (file, members) = SettingsFile::read::<FileMembers>(path)?;
    let mut ids = HashSet::new();
    let mut providers = Vec::new();
    for members in members.provider {
        let of = |member: &str| format!("{member} of the provider {}", members.id);
        let refused = |member: &str, accepts: &str| file.refused(of(member), accepts);
        if !is_id(&members.id) || !ids.insert(members.id.clone()) {
            return Err(refused("id", ID));
        }
        if members.name.trim().is_empty() || members.name.chars().count() > 40 {
            return Err(refused("name", NAME));
        }
        if !is_issuer(&members.issuer, place) {
            return Err(refused("issuer", ISSUER));
        }
        for (member, value) in [
            ("merchant", &members.merchant),
            ("client_id", &members.client_id),
        ] {
            if value.is_empty() {
                return Err(refused(member, NOT_EMPTY));
            }
        }
        let secret = std::fs::read_to_string(file.beside(&members.client_secret_file));
        let secret = Zeroizing::new(secret.unwrap_or_default());
        let secret = secret.trim();
        if secret.is_empty() {
            return Err(refused("client_secret_file", SECRET_FILE));
        }
        let authorities = match &members.ca_file {
            None => None,
            Some(path) => {
                let pem = std::fs::read(file.beside(path)).ok();
                let read = pem.and_then(|pem| Authorities::from_pem(&pem));
                Some(read.ok_or_else(|| refused("ca_file", CA_FILE))?)
            }
        };
        providers.push(LoginProvider {
            authorities,
            client_secret: ClientSecret(Zeroizing::new(secret.to_owned())),
            id: members.id,
            name: members.name,
            merchant_id: members.merchant,
            issuer: members.issuer,
            client_id: members.client_id,
            place,
            is_private: members.private_network,
            is_only_way_in: members.only_way_in,
            two_factors: TwoFactors {
                amr: members.two_factors_amr,
                acr: members.two_factors_acr,
            },
            recent_keys: RecentKeys::default(),
        });
    }
    Ok(providers)
}

fn is_id(id: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=40).contains(&id.len()) && id.chars().all(is_allowed)
}

/// An issuer is an address without a query and a fragment (OpenID Connect Discovery 1.0, section 3).
fn is_issuer(issuer: &str, place: ProviderPlace) -> bool {
    let Ok(url) = Url::parse(issuer) else {
        return false;
    };
    let is_http = url.scheme() == "http" && place == ProviderPlace::InsecureUrls;
    (url.scheme() == "https" || is_http)
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none()
}

const ID: &str = "1 to 40 small letters, digits and hyphens, and no other provider's";
const NAME: &str = "a name with 1 to 40 characters";
const ISSUER: &str =
    "the issuer identifier: https, without a query, as in https://login.shop.example";
const NOT_EMPTY: &str = "a text that is not empty";
const SECRET_FILE: &str = "the path of a file with the client secret";
const CA_FILE: &str = "the path of a file with certificates in PEM format";

#[cfg(test)]
mod tests {
    use super::super::LoginProviders;
    use super::*;

    const GOOD: &str = r#"
        [[provider]]
        id = "acme"
        name = "Acme"
        merchant = "demo"
        issuer = "https://login.acme.example"
        client_id = "payframe"
        client_secret_file = "secret"
        two_factors_amr = ["mfa"]
    "#;

    /// PEM, but no certificate in it.
    const BROKEN: &str = "-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n";

    fn check(text: &str, place: ProviderPlace) -> Result<LoginProviders, String> {
        let folder = tempfile::tempdir().map_err(|problem| problem.to_string())?;
        let path = folder.path().join("providers.toml");
        let written = std::fs::write(&path, text);
        written
            .and_then(|()| std::fs::write(folder.path().join("secret"), "hush\n"))
            .and_then(|()| std::fs::write(folder.path().join("empty"), "\n"))
            .and_then(|()| std::fs::write(folder.path().join("broken"), BROKEN))
            .map_err(|problem| problem.to_string())?;
        LoginProviders::read(&path, place).map_err(|problem| problem.to_string())
    }

    #[test]
    fn a_file_names_providers_and_never_shows_their_secrets() -> Result<(), String> {
        let providers = check(GOOD, ProviderPlace::SecureUrls)?;
        let acme = providers.find("acme").ok_or("acme is missing")?;
        assert_eq!(acme.client_secret.0.as_str(), "hush");
        assert!(!format!("{providers:?}").contains("hush"));
        assert_eq!(providers.of_merchant("demo").count(), 1);
        assert_eq!(providers.of_merchant("other").count(), 0);
        assert_eq!(
            acme.callback("https://gateway.example"),
            "https://gateway.example/office/login/provider/acme/callback"
        );
        assert!(check("", ProviderPlace::SecureUrls)?.all().is_empty());
        assert!(!providers.are_only_way_in("demo"));
        let only = check(
            &format!("{GOOD}only_way_in = true"),
            ProviderPlace::SecureUrls,
        )?;
        assert!(only.are_only_way_in("demo") && !only.are_only_way_in("other"));
        Ok(())
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (from, to, said) in [
            ("\"acme\"", "\"Acme!\"", "id of the provider Acme! must be"),
            ("\"Acme\"", "\" \"", "name of the provider acme must be"),
            (
                "https://login",
                "http://login",
                "issuer of the provider acme must be",
            ),
            (
                "acme.example",
                "acme.example?a",
                "issuer of the provider acme must be",
            ),
            (
                "\"payframe\"",
                "\"\"",
                "client_id of the provider acme must be",
            ),
            (
                "\"secret\"",
                "\"empty\"",
                "client_secret_file of the provider acme must be",
            ),
            (
                "\"secret\"",
                "\"missing\"",
                "client_secret_file of the provider acme must be",
            ),
            ("client_id", "client", "unknown field"),
            (
                "two_factors_amr",
                "ca_file = \"missing\"\ntwo_factors_amr",
                "ca_file of the provider acme must be",
            ),
            (
                "two_factors_amr",
                "ca_file = \"secret\"\ntwo_factors_amr",
                "ca_file of the provider acme must be",
            ),
            (
                "two_factors_amr",
                "ca_file = \"broken\"\ntwo_factors_amr",
                "ca_file of the provider acme must be",
            ),
        ] {
            let text = GOOD.replace(from, to);
            let problem = check(&text, ProviderPlace::SecureUrls)
                .err()
                .unwrap_or_default();
            assert!(problem.contains(said), "{problem}");
        }
        let twice = format!("{GOOD}{GOOD}");
        assert!(check(&twice, ProviderPlace::SecureUrls).is_err());
        let plain = GOOD.replace("https://login", "http://login");
        assert!(check(&plain, ProviderPlace::InsecureUrls).is_ok());
    }
}
