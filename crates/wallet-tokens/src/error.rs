//! Why a token is refused, and why keys cannot be used. Neither says anything of their content.

/// Why a token is not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// A part is missing, or is not what the wallet's format says.
    #[error("{0} is missing or malformed")]
    Malformed(&'static str),
    /// The token has a version that is not supported.
    #[error("version {0} is not supported")]
    Version(&'static str),
    /// The token's method of payment, or its kind of payment data, is not supported.
    #[error("{0} is not a supported one")]
    Unsupported(&'static str),
    /// The token is encrypted for a key that is not set up for the merchant.
    #[error("it is encrypted for a key that this merchant does not have")]
    UnknownKey,
    /// The token names another merchant than the one that sends it.
    #[error("it was made for another merchant")]
    OtherMerchant,
    /// The certificates of the signature do not lead to the root, or are not valid now.
    #[error("the signature's certificates do not lead to the root, or are not valid now")]
    UntrustedCertificates,
    /// The certificates lead to the root, but are not those that the wallet signs tokens with.
    #[error("the signature's certificates are for another purpose")]
    CertificatePurpose,
    /// No root has signed the key that signs tokens.
    #[error("no root that is valid now has signed the key that signs tokens")]
    UntrustedKey,
    /// The key that signs tokens is not valid any more.
    #[error("the key that signs tokens has expired")]
    ExpiredKey,
    /// The signature is not one of this content for this recipient.
    #[error("the signature does not fit the content and the recipient")]
    Signature,
    /// The token was signed too long ago, or in the future.
    #[error("it was signed too long ago, or in the future")]
    SigningTime,
    /// The token has expired.
    #[error("it has expired")]
    Expired,
    /// The content was not encrypted for this key, or was changed.
    #[error("it does not decrypt")]
    Decryption,
}

/// Why a key, a root or a recipient cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not {0}")]
pub struct SetUpError(pub(crate) &'static str);

impl SetUpError {
    /// What is accepted.
    pub fn accepts(self) -> &'static str {
        self.0
    }
}
