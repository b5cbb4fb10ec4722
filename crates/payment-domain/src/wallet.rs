//! Wallets: programs of the buyer that pass on a card (contract 8.1.11, 10.3).
//!
//! Card rules apply to them. They are not alternative methods ([`super::method`]): the buyer is not sent to another page, and the wallet
//! passes on a card number.

use crate::operation::ActionType;
use payframe_money::{Amount, numeric_code};

/// A wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wallet {
    /// `GOOGLEPAY`
    GooglePay,
    /// `APPLEPAY`
    ApplePay,
}

/// Whether a wallet has authenticated the buyer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalletFlow {
    /// The buyer's device has, so the buyer is not asked again.
    Cryptogram,
    /// It has not, so 3-D Secure follows.
    NumberOnly,
}

/// The sum that the buyer has confirmed in the wallet, as its token says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfirmedSum {
    amount: Amount,
    /// The currency's number (ISO 4217).
    currency: u16,
}

/// Why a payment is not the one that the buyer has confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnconfirmedSum {
    /// It is in another currency.
    Currency,
    /// It is of another amount.
    Amount,
}

impl ConfirmedSum {
    /// A sum in minor units, and the currency's number with three digits. `None`: it is no sum.
    pub fn read(minor: u64, currency: &str) -> Option<ConfirmedSum> {
        let is_number = currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_digit());
        let currency = currency.parse().ok().filter(|_| is_number)?;
        Some(ConfirmedSum {
            amount: Amount::from_minor(minor)?,
            currency,
        })
    }

    /// Whether the buyer has confirmed what a payment authorizes. `VERIFY` authorizes nothing, so it may follow any amount: that of a trial
    /// that is free, or that of what is charged later.
    ///
    /// # Errors
    /// What is different.
    pub fn allows(
        self,
        action: ActionType,
        amount: Amount,
        currency: &str,
    ) -> Result<(), UnconfirmedSum> {
        if numeric_code(currency) != Some(self.currency) {
            return Err(UnconfirmedSum::Currency);
        }
        match action {
            ActionType::Verify => Ok(()),
            ActionType::Pay | ActionType::PreAuth if amount == self.amount => Ok(()),
            ActionType::Pay | ActionType::PreAuth => Err(UnconfirmedSum::Amount),
        }
    }
}

impl Wallet {
    /// The code on the wire: `paymentService`.
    pub fn code(self) -> &'static str {
        match self {
            Wallet::GooglePay => "GOOGLEPAY",
            Wallet::ApplePay => "APPLEPAY",
        }
    }

    /// The wallet of a code on the wire.
    pub fn from_code(code: &str) -> Option<Wallet> {
        Wallet::ALL.into_iter().find(|wallet| wallet.code() == code)
    }

    /// `paymentCircuit` of its operations.
    pub fn circuit(self) -> &'static str {
        match self {
            Wallet::GooglePay => "GOOGLE_PAY",
            Wallet::ApplePay => "APPLE_PAY",
        }
    }

    /// Every wallet.
    pub const ALL: [Wallet; 2] = [Wallet::GooglePay, Wallet::ApplePay];
}

impl WalletFlow {
    /// The code on the wire: `paymentFlow`.
    pub fn code(self) -> &'static str {
        match self {
            WalletFlow::Cryptogram => "CRYPTOGRAM",
            WalletFlow::NumberOnly => "PAN_ONLY",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_read_or_refused() {
        for (minor, currency, expected) in [
            (3545, "978", Some((3545, 978))),
            (0, "008", Some((0, 8))),
            (Amount::MAX.minor(), "392", Some((Amount::MAX.minor(), 392))),
            (Amount::MAX.minor() + 1, "978", None),
            (1, "", None),
            (1, "EUR", None),
            (1, "97", None),
            (1, "0978", None),
            (1, "+97", None),
        ] {
            let read = ConfirmedSum::read(minor, currency);
            let read = read.map(|sum| (sum.amount.minor(), sum.currency));
            assert_eq!(read, expected, "{minor} {currency}");
        }
    }

    #[test]
    fn a_payment_is_of_the_sum_that_was_confirmed() {
        use ActionType::{Pay, PreAuth, Verify};
        let confirmed = ConfirmedSum::read(3545, "978").unwrap();
        for (action, minor, currency, expected) in [
            (Pay, 3545, "EUR", Ok(())),
            (PreAuth, 3545, "EUR", Ok(())),
            // A part, or one cent more.
            (Pay, 3544, "EUR", Err(UnconfirmedSum::Amount)),
            (Pay, 3546, "EUR", Err(UnconfirmedSum::Amount)),
            (PreAuth, 3546, "EUR", Err(UnconfirmedSum::Amount)),
            (Pay, 3545, "JPY", Err(UnconfirmedSum::Currency)),
            (Pay, 1, "USD", Err(UnconfirmedSum::Currency)),
            (Verify, 0, "EUR", Ok(())),
            (Verify, 9999, "EUR", Ok(())),
            (Verify, 3545, "USD", Err(UnconfirmedSum::Currency)),
            // A currency without a number is never the one in a token.
            (Pay, 3545, "XYZ", Err(UnconfirmedSum::Currency)),
        ] {
            let amount = Amount::from_minor(minor).unwrap();
            let allowed = confirmed.allows(action, amount, currency);
            assert_eq!(allowed, expected, "{action:?} {minor} {currency}");
        }
        // A token for a sum of zero pays nothing.
        let free = ConfirmedSum::read(0, "978").unwrap();
        let cent = Amount::from_minor(1).unwrap();
        assert_eq!(free.allows(Pay, cent, "EUR"), Err(UnconfirmedSum::Amount));
    }
}
