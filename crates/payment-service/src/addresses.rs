//! Addresses of the pages that the gateway shows to a buyer. The vault makes the token in each address, so it cannot be guessed and does
//! not have to be stored.

use super::PaymentContext;
use super::page_views::ReturnView;
use payframe_payment_domain::hosted::Kind;
use payframe_payment_domain::session::{State, StateBeforeAuthorization};
use payframe_payment_domain::terms::Channel;
use payframe_storage::hosted_pages::HostedPageRow;
use payframe_storage::session_pages::Page;
use payframe_storage::sessions::SessionRow;

impl PaymentContext {
    /// The address of a page or a link.
    pub(crate) fn hosted_address(&self, page: &HostedPageRow) -> String {
        self.address_of(page.life.kind, &page.page_id)
    }

    /// The URL to which the browser returns from a page of this session: the merchant's URL, or the hosted page.
    pub fn return_url(&self, row: &SessionRow) -> String {
        let Some(page_id) = &row.terms.hosted_page else {
            return merchants_url(row).to_owned();
        };
        let kind = match row.terms.channel {
            Channel::Link => Kind::Link,
            _ => Kind::Page,
        };
        self.address_of(kind, page_id) + "/return"
    }

    fn address_of(&self, kind: Kind, page_id: &str) -> String {
        let token = self.hosted_token(kind, page_id);
        let folder = match kind {
            Kind::Page => "pay",
            Kind::Link => "link",
        };
        format!("{}/{folder}/{token}", self.settings().origin)
    }

    /// The token in the address of a page.
    pub(super) fn token_of(&self, page: &HostedPageRow) -> String {
        self.hosted_token(page.life.kind, &page.page_id)
    }

    pub(super) fn hosted_token(&self, kind: Kind, page_id: &str) -> String {
        self.vault()
            .page_token(&format!("hosted {} {page_id}", kind.code()))
    }

    /// The address of the method's page, while the buyer is there.
    pub fn method_url(&self, row: &SessionRow) -> Option<String> {
        let (State::Redirected { redirect } | State::AuthorizingMethod { redirect, .. }) =
            &row.session.state
        else {
            return None;
        };
        let token = self.page_token(&row.hash, &Page::Method(redirect.operation_id.clone()));
        Some(format!("{}/methods/pay/{token}", self.settings().origin))
    }

    /// The address of a session's device check.
    pub fn device_check_url(&self, session_hash: &str, submission: u8) -> String {
        let token = self.page_token(session_hash, &Page::DeviceCheck(submission));
        format!("{}/threeds/device/{token}", self.settings().origin)
    }

    /// The address of a session's challenge, while there is one.
    pub(super) fn challenge_url(&self, row: &SessionRow) -> Option<String> {
        let (State::Challenged { completion, .. }
        | State::Authorizing {
            from: StateBeforeAuthorization::Challenged,
            completion,
            ..
        }) = &row.session.state
        else {
            return None;
        };
        let token = self.page_token(&row.hash, &Page::Challenge(completion.operation_id.clone()));
        Some(format!(
            "{}/threeds/challenge/{token}",
            self.settings().origin
        ))
    }

    /// Where the issuer's 3DS method sends the browser, for the device check with this token.
    pub(super) fn method_notification_url(&self, token: &str) -> String {
        format!("{}/threeds/method/{token}", self.settings().origin)
    }

    /// Where the issuer's page sends the browser after the challenge of an operation.
    pub(super) fn challenge_notification_url(
        &self,
        row: &SessionRow,
        operation_id: &str,
    ) -> String {
        let token = self.page_token(&row.hash, &challenge_page(row, operation_id));
        format!("{}/threeds/notify/{token}", self.settings().origin)
    }

    /// Where the issuer sends the result of the challenge of an operation. Buyers do not learn it.
    pub(super) fn results_url(&self, session_hash: &str, operation_id: &str) -> String {
        let token = self.page_token(session_hash, &Page::Results(operation_id.to_owned()));
        format!("{}/threeds/results/{token}", self.settings().origin)
    }

    /// The URL to which a page of this session returns.
    pub(super) fn return_view(&self, row: SessionRow) -> ReturnView {
        ReturnView {
            return_url: self.return_url(&row),
            framing: row.terms.framing,
        }
    }

    /// The token in the address of a session's page.
    pub fn page_token(&self, session_hash: &str, page: &Page) -> String {
        self.vault().page_token(&match page {
            Page::DeviceCheck(submission) => format!("device check {submission} of {session_hash}"),
            Page::Challenge(operation_id) => format!("challenge {operation_id} of {session_hash}"),
            Page::Method(operation_id) => format!("method {operation_id} of {session_hash}"),
            Page::Step(operation_id) => format!("3-step {operation_id} of {session_hash}"),
            Page::Results(operation_id) => format!("results {operation_id} of {session_hash}"),
        })
    }
}

/// The page of the challenge of an operation. A payment in three steps has one page for all of its steps.
fn challenge_page(row: &SessionRow, operation_id: &str) -> Page {
    match is_step(row, operation_id) {
        true => Page::Step(operation_id.to_owned()),
        false => Page::Challenge(operation_id.to_owned()),
    }
}

/// Whether an operation is that of a payment in three steps, whose session waits for the merchant's server.
pub(super) fn is_step(row: &SessionRow, operation_id: &str) -> bool {
    let preassigned = row.terms.preassigned_operation_id.as_deref();
    row.terms.channel == Channel::Server && preassigned == Some(operation_id)
}

/// The merchant's URL for the outcome of a session: `cancelUrl` only if the payment was cancelled (contract 2.4).
fn merchants_url(row: &SessionRow) -> &str {
    match row.session.state {
        State::Cancelled { .. } => &row.terms.cancel_url,
        _ => &row.terms.result_url,
    }
}
