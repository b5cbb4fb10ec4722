//! The sandbox's terminals and API keys (contract 11.1), created at every start of a sandbox.

use payframe_card_rules::network::{Network, NetworkSet};
use payframe_payment_domain::card_testing::CardTestingSettings;
use payframe_payment_domain::exemption::NoChallengeRequest;
use payframe_payment_domain::method::METHODS;
use payframe_payment_domain::operation::Capture;
use payframe_payment_domain::page_watch::PageWatch;
use payframe_payment_domain::terms::{AcceptanceChannel, CardField, Terminal};
use payframe_payment_domain::wallet::Wallet;
use payframe_payment_ports::Vault;
use payframe_storage::merchants::{self, InitialMerchant};
use payframe_storage::{Connection, StoreError, credentials};

/// Creates the sandbox's merchants, terminals and keys.
pub async fn put_in_place(
    connection: &mut Connection,
    vault: &dyn Vault,
) -> Result<(), StoreError> {
    for (api_key, merchant_name, terminal) in terminals() {
        let initial = InitialMerchant {
            merchant_name,
            terminal,
            key_hash: vault.api_key_hash(api_key),
        };
        merchants::put_in_place(connection, &initial).await?;
    }
    Ok(())
}

/// Whether one of the sandbox's keys exists, valid or not.
pub async fn are_in_place(
    connection: &mut Connection,
    vault: &dyn Vault,
) -> Result<bool, StoreError> {
    for (api_key, _, _) in terminals() {
        if credentials::has_key(connection, &vault.api_key_hash(api_key)).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The id of each terminal, and the name of its merchant.
pub(crate) fn names() -> impl Iterator<Item = (String, &'static str)> {
    let terminals = terminals().into_iter();
    terminals.map(|(_, merchant_name, terminal)| (terminal.terminal_id, merchant_name))
}

fn terminals() -> Vec<(&'static str, &'static str, Terminal)> {
    // The first networks, which are those of the contract (10.5). The others are for a separate terminal.
    let all: NetworkSet = Network::ALL.into_iter().take(CONTRACT_NETWORKS).collect();
    let two: NetworkSet = [Network::Visa, Network::Mastercard].into_iter().collect();
    let terminal = |terminal_id: &str, merchant_id: &str| Terminal {
        terminal_id: terminal_id.to_owned(),
        merchant_id: merchant_id.to_owned(),
        capture: Capture::Implicit,
        tokenization: true,
        currency_conversion: false,
        networks: all,
        preferred_networks: NetworkSet::empty(),
        eight_digit_bins: NetworkSet::empty(),
        card_fields: vec![
            CardField::Number,
            CardField::Expiry,
            CardField::SecurityCode,
            CardField::HolderName,
        ],
        methods: METHODS.iter().collect(),
        wallets: Wallet::ALL.to_vec(),
        place: AcceptanceChannel::Online,
        font: None,
        exemptions: Vec::new(),
        card_testing: CardTestingSettings::default(),
        page_watch: PageWatch::OFF,
    };
    let demo = |terminal_id| terminal(terminal_id, "demo");
    vec![
        (
            "sandbox-implicit",
            DEMO,
            Terminal {
                currency_conversion: true,
                exemptions: NoChallengeRequest::ALL.to_vec(),
                ..demo("91000001")
            },
        ),
        (
            "sandbox-explicit",
            DEMO,
            Terminal {
                capture: Capture::Explicit,
                currency_conversion: true,
                exemptions: NoChallengeRequest::ALL.to_vec(),
                ..demo("91000002")
            },
        ),
        (
            "sandbox-no-token",
            DEMO,
            Terminal {
                tokenization: false,
                ..demo("91000003")
            },
        ),
        (
            "sandbox-cards-only",
            DEMO,
            Terminal {
                networks: two,
                methods: Vec::new(),
                wallets: Vec::new(),
                ..demo("91000004")
            },
        ),
        (
            "sandbox-bin8",
            DEMO,
            Terminal {
                eight_digit_bins: two,
                ..demo("91000005")
            },
        ),
        // Not in the contract: all text inputs, for pages with separate fields.
        (
            "sandbox-six-fields",
            DEMO,
            Terminal {
                card_fields: vec![
                    CardField::Number,
                    CardField::Expiry,
                    CardField::SecurityCode,
                    CardField::HolderName,
                    CardField::HolderSurname,
                    CardField::Email,
                ],
                ..demo("91000006")
            },
        ),
        // Not in the contract: also the networks of single countries.
        (
            "sandbox-every-network",
            DEMO,
            Terminal {
                networks: NetworkSet::all(),
                methods: Vec::new(),
                wallets: Vec::new(),
                ..demo("91000007")
            },
        ),
        // Not in the contract: a merchant that prefers the second network of a co-badged card.
        (
            "sandbox-local-first",
            DEMO,
            Terminal {
                preferred_networks: [Network::CartesBancaires, Network::Bancontact]
                    .into_iter()
                    .collect(),
                ..demo("91000008")
            },
        ),
        // Not in the contract: a terminal in a shop, for orders that are placed on the web and collected there.
        (
            "sandbox-point-of-sale",
            DEMO,
            Terminal {
                methods: Vec::new(),
                wallets: Vec::new(),
                place: AcceptanceChannel::PointOfSale,
                ..demo("91000009")
            },
        ),
        // Not in the contract: the buyer must agree to the privacy notice.
        (
            "sandbox-privacy",
            DEMO,
            Terminal {
                card_fields: vec![
                    CardField::Number,
                    CardField::Expiry,
                    CardField::SecurityCode,
                    CardField::HolderName,
                    CardField::Privacy,
                ],
                ..demo("91000010")
            },
        ),
        // Not in the contract: a merchant whose name contains all special characters of pages, templates and scripts.
        (
            "sandbox-odd-name",
            "Käse & <b>Co.</b> {amount} $& \"100 %\"",
            terminal("93000001", "odd"),
        ),
        // Not in the contract: a second merchant, to test the separation from the first one.
        (
            "sandbox-other-merchant",
            "Other shop",
            terminal("92000001", "other"),
        ),
    ]
}

const CONTRACT_NETWORKS: usize = 10;

const DEMO: &str = "Demo shop";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_has_every_key() {
        let guide = include_str!("../../../docs/testing.md");
        for (key, _, terminal) in terminals() {
            let row = format!("| `{key}` | {} | ", terminal.terminal_id);
            assert!(
                guide.contains(&row),
                "docs/testing.md is to have a row that begins with\n{row}"
            );
        }
    }
}
