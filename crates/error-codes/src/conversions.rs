//! The error codes for refusals by the domain rules: of card data, of follow-up operations, of charges on reservations.

use super::ErrorCode;
use payframe_card_rules::card_number::CardNumberError;
use payframe_card_rules::expiry::ExpiryError;
use payframe_card_rules::holder::{EmailError, HolderNameError};
use payframe_card_rules::security_code::SecurityCodeError;
use payframe_payment_domain::ledger_rules::FollowUpError;
use payframe_payment_domain::reservation::charges::ReservationChargeError;

impl From<CardNumberError> for ErrorCode {
    fn from(problem: CardNumberError) -> ErrorCode {
        match problem {
            CardNumberError::UnknownNetwork | CardNumberError::NotAccepted(_) => ErrorCode::HF0005,
            _ => ErrorCode::HF0004,
        }
    }
}

impl From<ExpiryError> for ErrorCode {
    fn from(_: ExpiryError) -> ErrorCode {
        ErrorCode::HF0006
    }
}

impl From<SecurityCodeError> for ErrorCode {
    fn from(_: SecurityCodeError) -> ErrorCode {
        ErrorCode::HF0001
    }
}

impl From<HolderNameError> for ErrorCode {
    fn from(_: HolderNameError) -> ErrorCode {
        ErrorCode::HF0007
    }
}

impl From<EmailError> for ErrorCode {
    fn from(_: EmailError) -> ErrorCode {
        ErrorCode::HF0001
    }
}

impl From<FollowUpError> for ErrorCode {
    fn from(problem: FollowUpError) -> ErrorCode {
        match problem {
            FollowUpError::CaptureOfVoided => ErrorCode::PS0022,
            FollowUpError::CaptureOfExecuted => ErrorCode::PS0023,
            FollowUpError::CaptureOfRefunded => ErrorCode::PS0024,
            FollowUpError::AlreadyVoided => ErrorCode::PS0028,
            FollowUpError::AlreadyRefunded => ErrorCode::PS0027,
            FollowUpError::OtherDay => ErrorCode::PS0002,
            FollowUpError::AboveCaptured => ErrorCode::PS0029,
            FollowUpError::Disputed => ErrorCode::GW9014,
            FollowUpError::AboveOpen
            | FollowUpError::AboveIncrement
            | FollowUpError::NotTheOpenAmount => ErrorCode::PS0026,
            FollowUpError::State => ErrorCode::GW9003,
        }
    }
}

impl From<ReservationChargeError> for ErrorCode {
    fn from(problem: ReservationChargeError) -> ErrorCode {
        match problem {
            ReservationChargeError::AboveLimit(_) | ReservationChargeError::Nothing => {
                ErrorCode::PS0026
            }
            ReservationChargeError::NoCard => ErrorCode::PS0043,
            _ => ErrorCode::GW9003,
        }
    }
}
