//! The billing address among the items that the buyer sent.

use super::CardEntry;
use payframe_card_rules::address::{AddressPart, AddressTexts, BILLING_COUNTRY, billing_item};
use payframe_payment_domain::billing_address::{
    BillingAddress, BillingAddressError, BillingAddressFields,
};

/// Ids of all that a billing address may consist of.
pub const BILLING_ITEMS: [&str; 6] = [
    BILLING_COUNTRY,
    billing_item(AddressPart::Line1),
    billing_item(AddressPart::Line2),
    billing_item(AddressPart::City),
    billing_item(AddressPart::State),
    billing_item(AddressPart::PostalCode),
];

/// Reads the billing address, if it is asked for. The error is the id of the item that is missing or wrong: an address that nobody asked for
/// is wrong, too.
pub(super) fn read(
    entry: &CardEntry,
    asked: BillingAddressFields,
) -> Result<Option<BillingAddress>, &'static str> {
    let value = |id: &str| entry.value(id).unwrap_or("");
    if asked == BillingAddressFields::None {
        return match BILLING_ITEMS.into_iter().find(|id| !value(id).is_empty()) {
            Some(unasked) => Err(unasked),
            None => Ok(None),
        };
    }
    let texts: AddressTexts = AddressPart::ALL
        .into_iter()
        .map(|part| (part, value(billing_item(part))))
        .collect();
    BillingAddress::read(asked, value(BILLING_COUNTRY), &texts)
        .map(Some)
        .map_err(|problem| match problem {
            BillingAddressError::Country => BILLING_COUNTRY,
            BillingAddressError::Part(part) => billing_item(part),
        })
}
