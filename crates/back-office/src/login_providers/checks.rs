//! What holds for every discovery document, as an assertion.

use super::exchange::{BrowserSecrets, Discovery};
use super::{ClientSecret, LoginProvider, ProviderPlace, RecentKeys, TwoFactors};
use url::Url;
use zeroize::Zeroizing;

/// Panics if a document is taken and leads the browser elsewhere than to an https address, or without what ties the log-in to it.
#[track_caller]
pub(crate) fn assert_discovery(bytes: &[u8]) {
    let provider = provider();
    let Ok(discovery) = serde_json::from_slice::<Discovery>(bytes) else {
        return;
    };
    if !discovery.is_of(&provider) {
        return;
    }
    let secrets = BrowserSecrets::of("token");
    let page = discovery.log_in_page(&provider, "https://gateway.example", &secrets, true);
    assert_eq!(page.scheme(), "https");
    assert_eq!(Url::parse(page.as_str()).as_ref(), Ok(&page));
    let said = |wanted: &str| {
        let mut pairs = page.query_pairs().filter(|(name, _)| name == wanted);
        // An address of the provider may have parameters of its own; ours come last.
        pairs.by_ref().last().map(|(_, value)| value.into_owned())
    };
    assert_eq!(said("state"), Some(secrets.state));
    assert_eq!(said("nonce"), Some(secrets.nonce));
    assert_eq!(said("code_challenge_method").as_deref(), Some("S256"));
}

fn provider() -> LoginProvider {
    let text = |text: &str| String::from(text);
    LoginProvider {
        id: text("example"),
        name: text("Example"),
        merchant_id: text("merchant"),
        issuer: text("https://login.example"),
        client_id: text("client"),
        client_secret: ClientSecret(Zeroizing::new(text("secret"))),
        place: ProviderPlace::SecureUrls,
        authorities: None,
        is_private: false,
        is_only_way_in: false,
        two_factors: TwoFactors::default(),
        recent_keys: RecentKeys::default(),
    }
}
