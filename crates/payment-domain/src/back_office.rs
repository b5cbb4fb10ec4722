//! Roles and acts of the back office: what a member may do, and what the audit log records.
//!
//! It knows no passwords and no pages.

/// What a member may do. Each role includes the roles before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Sees orders and everything about them.
    Viewer,
    /// Moves money: refunds, captures, cancels; and related actions.
    Operator,
    /// Manages members and API keys, and reads the audit log.
    Administrator,
}

impl Role {
    /// Every role; the one with the fewest rights is first.
    pub const ALL: [Role; 3] = [Role::Viewer, Role::Operator, Role::Administrator];

    /// The code in the database, in forms and in commands.
    pub fn code(self) -> &'static str {
        match self {
            Role::Viewer => "VIEWER",
            Role::Operator => "OPERATOR",
            Role::Administrator => "ADMINISTRATOR",
        }
    }

    /// The role of a code, in any letter case.
    pub fn from_code(code: &str) -> Option<Role> {
        Role::ALL
            .into_iter()
            .find(|role| role.code().eq_ignore_ascii_case(code))
    }

    /// The name for people.
    pub fn label(self) -> &'static str {
        match self {
            Role::Viewer => "Viewer",
            Role::Operator => "Operator",
            Role::Administrator => "Administrator",
        }
    }

    /// The purpose of the role, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Role::Viewer => "sees orders, contracts, links, reservations and notifications",
            Role::Operator => "also refunds, captures, cancels and sends notifications again",
            Role::Administrator => "also looks after members and API keys, and reads the audit log",
        }
    }
}

/// What became of a refund that waits for a second member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundRequestState {
    /// Nobody has decided.
    Waiting,
    /// A second member approved it. It is being carried out, or that was interrupted.
    Approved,
    /// It was approved, and the refund was requested.
    Refunded,
    /// It was approved, and is not possible any more.
    Refused,
    /// A second member declined it, or whoever asked withdrew it.
    Declined,
}

impl RefundRequestState {
    /// Every state.
    pub const ALL: [RefundRequestState; 5] = [
        RefundRequestState::Waiting,
        RefundRequestState::Approved,
        RefundRequestState::Refunded,
        RefundRequestState::Refused,
        RefundRequestState::Declined,
    ];

    /// The code in the database.
    pub fn code(self) -> &'static str {
        match self {
            RefundRequestState::Waiting => "WAITING",
            RefundRequestState::Approved => "APPROVED",
            RefundRequestState::Refunded => "REFUNDED",
            RefundRequestState::Refused => "REFUSED",
            RefundRequestState::Declined => "DECLINED",
        }
    }

    /// The state of a code.
    pub fn from_code(code: &str) -> Option<RefundRequestState> {
        RefundRequestState::ALL
            .into_iter()
            .find(|state| state.code() == code)
    }
}

/// An act of a member that the audit log records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A member has logged in.
    LogIn,
    /// Somebody could not log in.
    LogInRefused,
    /// A member has logged out.
    LogOut,
    /// A member has changed the own password.
    ChangePassword,
    /// A member has set an authenticator app up.
    SetUpSecondFactor,
    /// A member has removed the own authenticator app.
    RemoveSecondFactor,
    /// A member has added a passkey.
    AddPasskey,
    /// A member has removed a passkey of their own.
    RemovePasskey,
    /// A member has made new recovery codes.
    MakeRecoveryCodes,
    /// Removed the second factors of a member: the app and all passkeys.
    ResetSecondFactor,
    /// Bound a member to their account at a log-in provider.
    BindAccount,
    /// Forgot a member's account at a log-in provider.
    ForgetAccount,
    /// Ended log-ins of a member, or the own ones.
    EndLogIns,
    /// Opened a way in for a member who otherwise logs in at a provider alone.
    OpenEmergencyAccess,
    /// Added a member.
    AddMember,
    /// Changed a member's role.
    ChangeRole,
    /// Disabled a member.
    DisableMember,
    /// Enabled a member.
    EnableMember,
    /// Set a new password for a member.
    ResetPassword,
    /// Made an API key.
    MakeKey,
    /// Replaced an API key.
    RotateKey,
    /// Revoked an API key.
    RevokeKey,
    /// Made a secret that signs notifications.
    MakeSecret,
    /// Revoked such a secret.
    RevokeSecret,
    /// Added a merchant.
    AddMerchant,
    /// Gave a merchant another name.
    RenameMerchant,
    /// Imported an acquirer's clearing file.
    ImportSettlement,
    /// Marked a difference of a clearing file as cleared.
    ClearDifference,
    /// Changed a setting of a merchant.
    ChangeMerchant,
    /// Somebody gave a wrong password or code where it was asked again.
    ConfirmationRefused,
    /// Added a terminal.
    AddTerminal,
    /// Changed the settings of a terminal.
    ChangeTerminal,
    /// Put a new key of the vault first.
    RotateVaultKey,
    /// Encrypted with the vault's current key what other keys had encrypted.
    ReencryptVault,
    /// Ended a key of the vault.
    RetireVaultKey,
    /// Wrapped the vault's keys with the key of a token.
    WrapVaultKeys,
    /// Logged in to the token after a wrong PIN.
    LogInVaultToken,
    /// Made a new key with which frames encrypt card data.
    RotateCardKey,
    /// Ended such a key.
    RevokeCardKey,
    /// Refunded money.
    Refund,
    /// Asked a second member to approve a refund.
    AskForRefund,
    /// Approved a refund.
    ApproveRefund,
    /// Declined a refund, or withdrew the own request.
    DeclineRefund,
    /// Captured held money.
    Capture,
    /// Released held money, or cancelled a capture.
    Cancel,
    /// Held more money.
    Increment,
    /// Sent a notification again.
    SendAgain,
    /// Revoked a link.
    RevokeLink,
    /// Made a link valid again.
    RenewLink,
    /// Ended a contract.
    EndContract,
    /// Cancelled a reservation.
    CancelReservation,
    /// Charged a reservation.
    ChargeReservation,
    /// Recorded a dispute.
    OpenDispute,
    /// Recorded what a bank decided, or that a dispute came to a later stage.
    DecideDispute,
    /// Read the evidence for a dispute, to pass it on.
    ExportEvidence,
    /// Added a file to a dispute.
    AddEvidenceFile,
    /// Removed a file of a dispute.
    RemoveEvidenceFile,
    /// Submitted evidence for a dispute.
    SubmitEvidence,
    /// Accepted a dispute.
    AcceptDispute,
    /// Allowed a script, a policy or a header of a page.
    AuthorizePageEntry,
    /// Withdrew that.
    WithdrawPageEntry,
    /// Exported what is stored of a buyer.
    ExportBuyer,
    /// Erased what is stored of a buyer.
    EraseBuyer,
    /// Decided about tries of cards that a rule stopped.
    ReviewTries,
    /// Ended such a decision before its time.
    EndReview,
    /// Read the audit log, or exported it.
    ReadAuditLog,
    /// Deleted records that were kept as long as the operator's settings say.
    DeleteOldRecords,
}

impl Act {
    /// Every act, in the order in which lists show them.
    pub const ALL: [Act; 67] = [
        Act::LogIn,
        Act::LogInRefused,
        Act::LogOut,
        Act::ChangePassword,
        Act::SetUpSecondFactor,
        Act::RemoveSecondFactor,
        Act::AddPasskey,
        Act::RemovePasskey,
        Act::MakeRecoveryCodes,
        Act::ResetSecondFactor,
        Act::BindAccount,
        Act::ForgetAccount,
        Act::EndLogIns,
        Act::OpenEmergencyAccess,
        Act::AddMember,
        Act::ChangeRole,
        Act::DisableMember,
        Act::EnableMember,
        Act::ResetPassword,
        Act::MakeKey,
        Act::RotateKey,
        Act::RevokeKey,
        Act::MakeSecret,
        Act::RevokeSecret,
        Act::AddMerchant,
        Act::RenameMerchant,
        Act::ChangeMerchant,
        Act::ConfirmationRefused,
        Act::AddTerminal,
        Act::ChangeTerminal,
        Act::RotateVaultKey,
        Act::ReencryptVault,
        Act::RetireVaultKey,
        Act::WrapVaultKeys,
        Act::LogInVaultToken,
        Act::RotateCardKey,
        Act::RevokeCardKey,
        Act::Refund,
        Act::AskForRefund,
        Act::ApproveRefund,
        Act::DeclineRefund,
        Act::Capture,
        Act::Cancel,
        Act::Increment,
        Act::SendAgain,
        Act::RevokeLink,
        Act::RenewLink,
        Act::EndContract,
        Act::CancelReservation,
        Act::ChargeReservation,
        Act::ImportSettlement,
        Act::ClearDifference,
        Act::OpenDispute,
        Act::DecideDispute,
        Act::ExportEvidence,
        Act::AddEvidenceFile,
        Act::RemoveEvidenceFile,
        Act::SubmitEvidence,
        Act::AcceptDispute,
        Act::AuthorizePageEntry,
        Act::WithdrawPageEntry,
        Act::ExportBuyer,
        Act::EraseBuyer,
        Act::ReviewTries,
        Act::EndReview,
        Act::ReadAuditLog,
        Act::DeleteOldRecords,
    ];

    /// The code in the database and in addresses.
    pub fn code(self) -> &'static str {
        self.row().0
    }

    /// The name for people.
    pub fn label(self) -> &'static str {
        self.row().1
    }

    /// The act of a code.
    pub fn from_code(code: &str) -> Option<Act> {
        Act::ALL.into_iter().find(|act| act.code() == code)
    }

    fn row(self) -> (&'static str, &'static str) {
        match self {
            Act::LogIn => ("LOG_IN", "Logged in"),
            Act::LogInRefused => ("LOG_IN_REFUSED", "Log-in refused"),
            Act::LogOut => ("LOG_OUT", "Logged out"),
            Act::ChangePassword => ("CHANGE_PASSWORD", "Changed their password"),
            Act::SetUpSecondFactor => ("SET_UP_SECOND_FACTOR", "Set a second factor up"),
            Act::RemoveSecondFactor => ("REMOVE_SECOND_FACTOR", "Removed their second factor"),
            Act::AddPasskey => ("ADD_PASSKEY", "Added a passkey"),
            Act::RemovePasskey => ("REMOVE_PASSKEY", "Removed a passkey"),
            Act::MakeRecoveryCodes => ("MAKE_RECOVERY_CODES", "Made new recovery codes"),
            Act::ResetSecondFactor => ("RESET_SECOND_FACTOR", "Reset a second factor"),
            Act::BindAccount => ("BIND_ACCOUNT", "Bound an account at a log-in provider"),
            Act::ForgetAccount => ("FORGET_ACCOUNT", "Forgot an account at a log-in provider"),
            Act::EndLogIns => ("END_LOG_INS", "Ended log-ins"),
            Act::OpenEmergencyAccess => ("OPEN_EMERGENCY_ACCESS", "Opened emergency access"),
            Act::AddMember => ("ADD_MEMBER", "Added a member"),
            Act::ChangeRole => ("CHANGE_ROLE", "Changed a role"),
            Act::DisableMember => ("DISABLE_MEMBER", "Disabled a member"),
            Act::EnableMember => ("ENABLE_MEMBER", "Enabled a member"),
            Act::ResetPassword => ("RESET_PASSWORD", "Made a new password"),
            Act::MakeKey => ("MAKE_KEY", "Made an API key"),
            Act::RotateKey => ("ROTATE_KEY", "Rotated an API key"),
            Act::RevokeKey => ("REVOKE_KEY", "Revoked an API key"),
            Act::MakeSecret => ("MAKE_SECRET", "Made a notification secret"),
            Act::RevokeSecret => ("REVOKE_SECRET", "Revoked a notification secret"),
            Act::AddMerchant => ("ADD_MERCHANT", "Added the merchant"),
            Act::RenameMerchant => ("RENAME_MERCHANT", "Renamed the merchant"),
            Act::ChangeMerchant => ("CHANGE_MERCHANT", "Changed the merchant"),
            Act::ConfirmationRefused => ("CONFIRMATION_REFUSED", "Confirmation refused"),
            Act::AddTerminal => ("ADD_TERMINAL", "Added a terminal"),
            Act::ChangeTerminal => ("CHANGE_TERMINAL", "Changed a terminal"),
            Act::RotateVaultKey => ("ROTATE_VAULT_KEY", "Rotated the vault's key"),
            Act::ReencryptVault => ("REENCRYPT_VAULT", "Re-encrypted the vault"),
            Act::RetireVaultKey => ("RETIRE_VAULT_KEY", "Retired a key of the vault"),
            Act::WrapVaultKeys => ("WRAP_VAULT_KEYS", "Wrapped the vault's keys"),
            Act::LogInVaultToken => ("LOG_IN_VAULT_TOKEN", "Logged in to the vault's token"),
            Act::RotateCardKey => ("ROTATE_CARD_KEY", "Rotated the key of card data"),
            Act::RevokeCardKey => ("REVOKE_CARD_KEY", "Revoked a key of card data"),
            Act::Refund => ("REFUND", "Refunded or released"),
            Act::AskForRefund => ("ASK_FOR_REFUND", "Asked for a refund"),
            Act::ApproveRefund => ("APPROVE_REFUND", "Approved a refund"),
            Act::DeclineRefund => ("DECLINE_REFUND", "Declined a refund"),
            Act::Capture => ("CAPTURE", "Captured"),
            Act::Cancel => ("CANCEL", "Cancelled a capture"),
            Act::Increment => ("INCREMENT", "Held more"),
            Act::SendAgain => ("SEND_AGAIN", "Sent a notification again"),
            Act::RevokeLink => ("REVOKE_LINK", "Revoked a payment link"),
            Act::RenewLink => ("RENEW_LINK", "Renewed a payment link"),
            Act::EndContract => ("END_CONTRACT", "Ended a contract"),
            Act::CancelReservation => ("CANCEL_RESERVATION", "Cancelled a reservation"),
            Act::ChargeReservation => ("CHARGE_RESERVATION", "Charged for a reservation"),
            Act::ImportSettlement => ("IMPORT_SETTLEMENT", "Imported a settlement"),
            Act::ClearDifference => ("CLEAR_DIFFERENCE", "Cleared a difference"),
            Act::OpenDispute => ("OPEN_DISPUTE", "Opened a dispute"),
            Act::DecideDispute => ("DECIDE_DISPUTE", "Decided a dispute"),
            Act::ExportEvidence => ("EXPORT_EVIDENCE", "Exported evidence"),
            Act::AddEvidenceFile => ("ADD_EVIDENCE_FILE", "Added a file of evidence"),
            Act::RemoveEvidenceFile => ("REMOVE_EVIDENCE_FILE", "Removed a file of evidence"),
            Act::SubmitEvidence => ("SUBMIT_EVIDENCE", "Submitted evidence"),
            Act::AcceptDispute => ("ACCEPT_DISPUTE", "Accepted a dispute"),
            Act::AuthorizePageEntry => ("AUTHORIZE_PAGE_ENTRY", "Allowed a part of a page"),
            Act::WithdrawPageEntry => ("WITHDRAW_PAGE_ENTRY", "Did not allow a part of a page"),
            Act::ExportBuyer => ("EXPORT_BUYER", "Exported a buyer's data"),
            Act::EraseBuyer => ("ERASE_BUYER", "Erased a buyer's data"),
            Act::ReviewTries => ("REVIEW_TRIES", "Decided about stopped tries"),
            Act::EndReview => ("END_REVIEW", "Ended a decision about stopped tries"),
            Act::ReadAuditLog => ("READ_AUDIT_LOG", "Read the audit log"),
            Act::DeleteOldRecords => ("DELETE_OLD_RECORDS", "Deleted old records"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_may_what_the_one_before_it_may() {
        assert!(Role::ALL.is_sorted());
        assert!(Role::Viewer < Role::Operator && Role::Operator < Role::Administrator);
    }

    #[test]
    fn codes_lead_back() {
        for role in Role::ALL {
            assert_eq!(Role::from_code(&role.code().to_lowercase()), Some(role));
        }
        for act in Act::ALL {
            assert_eq!(Act::from_code(act.code()), Some(act));
        }
        for state in RefundRequestState::ALL {
            assert_eq!(RefundRequestState::from_code(state.code()), Some(state));
        }
        assert_eq!((Role::from_code("OWNER"), Act::from_code("")), (None, None));
    }
}
