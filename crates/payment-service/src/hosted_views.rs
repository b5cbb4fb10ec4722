//! What a hosted page shows, and where it sends the browser.

use super::HostedPages;
use super::acceptance::clauses_due;
use super::error::PaymentError;
use super::hosted::{OrderPayment, is_over};
use payframe_money::Amount;
use payframe_payment_domain::clause::{Clause, in_language};
use payframe_payment_domain::hosted::{HostedPageState, Kind, Status};
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::session::State;
use payframe_storage::hosted_pages::{self, HostedPageRow, PageOffer};
use payframe_storage::merchants;
use serde_json::{Map, Value};

/// The content of a hosted page.
#[derive(Clone, Debug)]
pub struct HostedView {
    /// A page or a link.
    pub kind: Kind,
    /// The possible actions on the page.
    pub status: HostedPageAvailability,
    /// Name of the merchant.
    pub merchant: String,
    /// The merchant's id of the order.
    pub order_id: String,
    /// What the order is for.
    pub description: Option<String>,
    /// What is paid, in minor units.
    pub amount: Amount,
    /// ISO 4217 letters.
    pub currency: String,
    /// What the payment is to do.
    pub action: ActionType,
    /// Three-letter code, lower case.
    pub language: String,
    /// Labels and values, as the merchant wrote them in the page's language.
    pub rows: Vec<(String, String)>,
    /// The shop's URL for the browser.
    pub way_back: Option<String>,
    /// The clauses that the buyer must accept before a payment.
    pub clauses: Vec<Clause>,
}

/// The possible actions on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostedPageAvailability {
    /// The buyer can pay.
    Open {
        /// Whether there is a form for cards.
        card: bool,
        /// Methods other than cards.
        methods: Vec<&'static Method>,
        /// Whether the last attempt ended with a refusal.
        refused: bool,
    },
    /// The buyer can continue on the method's page.
    AtMethod {
        /// The chosen method.
        method: &'static Method,
        /// The URL of its page.
        url: String,
    },
    /// The buyer waits for the outcome.
    Pending,
    /// None: it was paid here.
    Paid,
    /// None: the order was paid elsewhere.
    PaidElsewhere,
    /// None: it was cancelled.
    Canceled,
    /// None: it has expired.
    Expired,
    /// None: too many attempts were refused.
    Failed,
}

/// Where the browser goes from a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectTarget {
    /// To the merchant's URL, exactly as it was given.
    Shop(String),
    /// To the page itself.
    Page,
    /// To the page itself. The page shows that the buyer has left and can return.
    Left,
}

impl HostedPages<'_> {
    /// The content of the page with this token. `None`: the page does not exist.
    pub async fn view(&self, kind: Kind, token: &str) -> Result<Option<HostedView>, PaymentError> {
        let Some(page) = self.find(kind, token).await? else {
            return Ok(None);
        };
        // The result of an expired session is stored in the page first.
        let status = self.status(&page).await?;
        let (merchant, mut order, clauses) = {
            let mut connection = self.context.store().read().await?;
            (
                merchants::name(&mut connection, &page.terms.merchant_id).await?,
                hosted_pages::order_document(&mut connection, &page.terms).await?,
                clauses_due(&mut connection, &page).await?,
            )
        };
        let terms = page.terms;
        let text = |value: Option<Value>| match value {
            Some(Value::String(text)) if !text.is_empty() => Some(text),
            _ => None,
        };
        Ok(Some(HostedView {
            kind,
            way_back: match status {
                HostedPageAvailability::Canceled
                | HostedPageAvailability::Expired
                | HostedPageAvailability::Open { .. } => terms.cancel_url,
                _ => terms.result_url,
            },
            status,
            clauses,
            merchant,
            rows: summary_rows(&order, &terms.language),
            description: text(order.remove("description")),
            order_id: terms.order_id,
            amount: terms.amount,
            currency: terms.currency,
            action: terms.action,
            language: terms.language,
        }))
    }

    async fn status(&self, page: &HostedPageRow) -> Result<HostedPageAvailability, PaymentError> {
        let present = self.present_session(page).await?.map(|(_, row)| row);
        let page = match self
            .find(page.life.kind, &self.context.token_of(page))
            .await?
        {
            Some(page) => page,
            None => return Ok(HostedPageAvailability::Expired),
        };
        match page.life.status(self.context.clock().now_ms()) {
            Status::Paid => return Ok(HostedPageAvailability::Paid),
            Status::Canceled => return Ok(HostedPageAvailability::Canceled),
            Status::Active | Status::Expired | Status::Failed => {}
        }
        let state = present.as_ref().map(|row| &row.session.state);
        if let (Some(State::Redirected { redirect }), Some(row)) = (state, &present)
            && let Some(url) = self.context.method_url(row)
        {
            return Ok(HostedPageAvailability::AtMethod {
                method: redirect.method,
                url,
            });
        }
        match self.paying_operation(&page).await? {
            // If the form makes the payment, the form shows the status.
            Some(OrderPayment::Asking) if state.is_some_and(|state| !is_over(state)) => {}
            Some(OrderPayment::Asking | OrderPayment::Pending) => {
                return Ok(HostedPageAvailability::Pending);
            }
            Some(OrderPayment::Paid) => return Ok(HostedPageAvailability::PaidElsewhere),
            None => {}
        }
        // A payment that started in time may end later (contract 8.1.3).
        let is_begun = matches!(
            state,
            Some(State::Challenged { .. } | State::Authorizing { .. } | State::SteppingUp { .. })
        );
        Ok(match page.life.status(self.context.clock().now_ms()) {
            Status::Expired if !is_begun => HostedPageAvailability::Expired,
            Status::Failed => HostedPageAvailability::Failed,
            _ if matches!(state, Some(State::AuthorizingMethod { .. })) => {
                HostedPageAvailability::Pending
            }
            _ => HostedPageAvailability::Open {
                card: page.terms.offer != PageOffer::Method,
                methods: page.terms.methods.clone(),
                refused: matches!(state, Some(State::Complete { .. })),
            },
        })
    }

    /// Where the browser goes from a page, by the result of its payment (contract 2.4). `None`: the page does not exist.
    pub async fn return_view(
        &self,
        kind: Kind,
        token: &str,
    ) -> Result<Option<RedirectTarget>, PaymentError> {
        let Some(page) = self.find(kind, token).await? else {
            return Ok(None);
        };
        let present = self.present_session(&page).await?.map(|(_, row)| row);
        let Some(page) = self.find(kind, token).await? else {
            return Ok(None);
        };
        let to = |url: Option<String>, or| url.map_or(or, RedirectTarget::Shop);
        let is_waiting = matches!(
            self.paying_operation(&page).await?,
            Some(OrderPayment::Asking | OrderPayment::Pending)
        );
        let terms = page.terms;
        Ok(Some(match page.life.status {
            HostedPageState::Paid(_) | HostedPageState::Failed => {
                to(terms.result_url, RedirectTarget::Page)
            }
            HostedPageState::Canceled if kind == Kind::Page => {
                to(terms.cancel_url, RedirectTarget::Page)
            }
            HostedPageState::Canceled => RedirectTarget::Page,
            HostedPageState::Active => match present.map(|row| row.session.state) {
                Some(State::Complete { .. }) if is_waiting => {
                    to(terms.result_url, RedirectTarget::Page)
                }
                Some(State::Cancelled { .. }) => to(terms.cancel_url, RedirectTarget::Left),
                _ => RedirectTarget::Page,
            },
        }))
    }

    /// Where the browser goes after the buyer pressed cancel on the page itself.
    pub async fn left_view(
        &self,
        kind: Kind,
        token: &str,
    ) -> Result<Option<RedirectTarget>, PaymentError> {
        self.leave(kind, token).await?;
        let way_on = self.return_view(kind, token).await?;
        if way_on != Some(RedirectTarget::Page) {
            return Ok(way_on);
        }
        // No payment had started on this link: the link stays unchanged, and the buyer leaves.
        let page = self.find(kind, token).await?;
        Ok(page.map(
            |page| match page.life.status(self.context.clock().now_ms()) {
                Status::Active => page
                    .terms
                    .cancel_url
                    .map_or(RedirectTarget::Left, RedirectTarget::Shop),
                _ => RedirectTarget::Page,
            },
        ))
    }
}

/// The merchant's rows in this language, or in English, or in the first language that exists.
fn summary_rows(order: &Map<String, Value>, language: &str) -> Vec<(String, String)> {
    let Some(Value::Array(summaries)) = order.get("transactionSummary") else {
        return Vec::new();
    };
    let rows =
        in_language(summaries, language).and_then(|summary| summary["summaryList"].as_array());
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    rows.into_iter()
        .flatten()
        .map(|row| (text(row, "label"), text(row, "value")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_are_those_of_the_pages_language() {
        let order = json!({ "transactionSummary": [
            { "language": "deu", "summaryList": [{ "label": "Menge", "value": "2" }] },
            { "language": "ITA", "summaryList": [{ "label": "Quantità", "value": "2" }, { "label": "Colore", "value": "blu" }] },
            { "language": "eng", "summaryList": [{ "label": "Quantity", "value": "2" }] },
        ] });
        let order = order.as_object().unwrap();
        for (language, expected) in [
            ("ita", "Quantità"),
            ("eng", "Quantity"),
            ("fra", "Quantity"),
        ] {
            assert_eq!(summary_rows(order, language)[0].0, expected, "{language}");
        }
        assert_eq!(
            summary_rows(order, "ita")[1],
            (String::from("Colore"), String::from("blu"))
        );
        assert!(summary_rows(&Map::new(), "ita").is_empty());
        let without_english = json!({ "transactionSummary": [{ "language": "deu", "summaryList": [{ "label": "Menge", "value": "2" }] }] });
        assert_eq!(
            summary_rows(without_english.as_object().unwrap(), "ita")[0].0,
            "Menge"
        );
    }
}
