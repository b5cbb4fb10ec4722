//! Wallets: programs of the buyer that pass on a card (contract 8.1.11, 10.3).
//!
//! Card rules apply to them. They are not alternative methods ([`super::method`]): the buyer is not sent to another page, and the wallet
//! passes on a card number.

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
