//! The billing address among the items that the buyer sent.

use super::CardEntry;
use payframe_payment_domain::billing_address::{
    BillingAddress, BillingAddressError, BillingAddressFields,
};

/// Id of the country of the billing address: two letters.
pub const BILLING_COUNTRY: &str = "BILLING_COUNTRY";

/// Id of the postal code of the billing address.
pub const BILLING_POSTAL_CODE: &str = "BILLING_POSTAL_CODE";

/// Reads the billing address, if it is asked for. The error is the id of the item that is missing or wrong: an address that nobody asked for
/// is wrong, too.
pub(super) fn read(
    entry: &CardEntry,
    asked: BillingAddressFields,
) -> Result<Option<BillingAddress>, &'static str> {
    let value = |id: &str| entry.value(id).unwrap_or("");
    let (country, postal_code) = (value(BILLING_COUNTRY), value(BILLING_POSTAL_CODE));
    match asked {
        BillingAddressFields::PostalCode => BillingAddress::read(country, postal_code)
            .map(Some)
            .map_err(|problem| match problem {
                BillingAddressError::Country => BILLING_COUNTRY,
                BillingAddressError::PostalCode => BILLING_POSTAL_CODE,
            }),
        BillingAddressFields::None if !country.is_empty() => Err(BILLING_COUNTRY),
        BillingAddressFields::None if !postal_code.is_empty() => Err(BILLING_POSTAL_CODE),
        BillingAddressFields::None => Ok(None),
    }
}
