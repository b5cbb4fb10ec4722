//! The file that a gateway reads to have buyers at the sandbox's terminals authenticated by the directory server (`PAYFRAME_3DS`).

use super::identities::{AUTHORITY, Side, certificate, key};
use crate::terminals;
use payframe_card_rules::network::Network;
use serde_json::json;

/// The file's name.
pub(super) const FILE: &str = "3ds.toml";

/// The file, for the directory server at this address.
pub(super) fn file(address: &str) -> String {
    let networks: Vec<&str> = Network::ALL
        .into_iter()
        .map(|network| network.code())
        .collect();
    let mut text = format!(
        "# Written by the sandbox's directory server at each start.\n\
         reference_number = \"PAYFRAME_SANDBOX\"\n\n\
         [[directory]]\nname = \"sandbox\"\nurl = {}\nca_file = {}\ncertificate_file = {}\nkey_file = {}\nnetworks = {}\n",
        json!(address),
        json!(AUTHORITY),
        json!(certificate(Side::Requestor)),
        json!(key(Side::Requestor)),
        json!(networks),
    );
    for (id, merchant_name) in terminals::names() {
        let name: String = merchant_name.chars().take(LONGEST_NAME).collect();
        // A JSON text without control characters is a basic string of TOML.
        text.push_str(&format!(
            "\n[[terminal]]\nid = {}\nmerchant_name = {}\nmerchant_url = \"https://shop.example\"\nmerchant_category = \"5999\"\n\
             country = \"380\"\nunauthenticated = \"pay\"\ndecoupled_minutes = 10\n[terminal.directory.sandbox]\nrequestor_id = {}\nacquirer_bin = \"400000\"\n\
             merchant_id = {}\n",
            json!(id),
            json!(name),
            json!(id),
            json!(id),
        ));
    }
    text
}

const LONGEST_NAME: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_names_all_terminals_and_networks() {
        let text = file("https://localhost:1/");
        for part in [
            "url = \"https://localhost:1/\"",
            "\"VISA\"",
            "\"MC\"",
            "id = \"91000001\"",
            "id = \"93000001\"",
        ] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
    }
}
