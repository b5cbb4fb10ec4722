//! What a hosted page shows, and where the browser goes from it.

use super::acceptance::clauses_due;
use super::error::PaymentError;
use super::hosted::{Paying, is_over};
use crate::App;
use crate::store::hosted_pages::{self, HostedPageRow, PageOffer};
use crate::store::merchants;
use payframe_money::Amount;
use payframe_payment_domain::clause::{Clause, in_language};
use payframe_payment_domain::hosted::{HostedPageState, Kind, Status};
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::session::State;
use serde_json::{Map, Value};

/// A hosted page to show.
#[derive(Clone, Debug)]
pub(crate) struct HostedView {
    pub(crate) kind: Kind,
    pub(crate) status: HostedPageAvailability,
    /// Name of the merchant.
    pub(crate) merchant: String,
    pub(crate) order_id: String,
    pub(crate) description: Option<String>,
    /// What is paid, in minor units.
    pub(crate) amount: Amount,
    /// ISO 4217 letters.
    pub(crate) currency: String,
    pub(crate) action: ActionType,
    /// Three-letter code, lower case.
    pub(crate) language: String,
    /// Label and value, as the merchant wrote them in the page's language.
    pub(crate) rows: Vec<(String, String)>,
    /// Where the shop wants the browser.
    pub(crate) way_back: Option<String>,
    /// What has to be accepted before anything can be paid.
    pub(crate) clauses: Vec<Clause>,
}

/// What can be done at a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HostedPageAvailability {
    /// Pay.
    Open {
        /// Whether there is a form for cards.
        card: bool,
        methods: Vec<&'static Method>,
        /// The last try ended in a refusal.
        refused: bool,
    },
    /// Go on at the method's page.
    AtMethod {
        method: &'static Method,
        url: String,
    },
    /// Wait for the outcome.
    Pending,
    /// Nothing: it was paid here.
    Paid,
    /// Nothing: the order was paid elsewhere.
    PaidElsewhere,
    /// Nothing: it was given up.
    Canceled,
    /// Nothing: its time is over.
    Expired,
    /// Nothing: too many tries were refused.
    Failed,
}

/// Where the browser goes from a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WayOn {
    /// To an address of the merchant, exactly as it was given.
    Shop(String),
    /// To the page itself.
    Page,
    /// To the page itself, which says that the buyer has left and can come back.
    Left,
}

impl App {
    /// What the page of a token shows. `None`: there is none.
    pub(crate) async fn hosted_view(
        &self,
        kind: Kind,
        token: &str,
    ) -> Result<Option<HostedView>, PaymentError> {
        let Some(page) = self.hosted_page(kind, token).await? else {
            return Ok(None);
        };
        // A session that has lapsed meanwhile is told to the page first.
        let status = self.hosted_availability(&page).await?;
        let (merchant, mut order, clauses) = {
            let mut connection = self.store().read().await?;
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

    async fn hosted_availability(
        &self,
        page: &HostedPageRow,
    ) -> Result<HostedPageAvailability, PaymentError> {
        let present = self.present_session(page).await?.map(|(_, row)| row);
        let page = match self
            .hosted_page(page.life.kind, &self.token_of(page))
            .await?
        {
            Some(page) => page,
            None => return Ok(HostedPageAvailability::Expired),
        };
        match page.life.status(self.clock().now_ms()) {
            Status::Paid => return Ok(HostedPageAvailability::Paid),
            Status::Canceled => return Ok(HostedPageAvailability::Canceled),
            Status::Active | Status::Expired | Status::Failed => {}
        }
        let state = present.as_ref().map(|row| &row.session.state);
        if let (Some(State::Redirected { redirect }), Some(row)) = (state, &present)
            && let Some(url) = self.method_url(row)
        {
            return Ok(HostedPageAvailability::AtMethod {
                method: redirect.method,
                url,
            });
        }
        match self.paying_operation(&page).await? {
            // The form says how it goes, if it is the form that pays.
            Some(Paying::Asking) if state.is_some_and(|state| !is_over(state)) => {}
            Some(Paying::Asking | Paying::Pending) => return Ok(HostedPageAvailability::Pending),
            Some(Paying::Paid) => return Ok(HostedPageAvailability::PaidElsewhere),
            None => {}
        }
        // What was begun in time may end later (contract 8.1.3).
        let is_begun = matches!(
            state,
            Some(State::Challenged { .. } | State::Authorizing { .. })
        );
        Ok(match page.life.status(self.clock().now_ms()) {
            Status::Expired if !is_begun => HostedPageAvailability::Expired,
            Status::Failed => HostedPageAvailability::Failed,
            _ if matches!(state, Some(State::Settling { .. })) => HostedPageAvailability::Pending,
            _ => HostedPageAvailability::Open {
                card: page.terms.offer != PageOffer::Method,
                methods: page.terms.methods.clone(),
                refused: matches!(state, Some(State::Complete { .. })),
            },
        })
    }

    /// Where the browser goes from a page, by what became of its payment (contract 2.4). `None`: there is no such page.
    pub(crate) async fn hosted_return(
        &self,
        kind: Kind,
        token: &str,
    ) -> Result<Option<WayOn>, PaymentError> {
        let Some(page) = self.hosted_page(kind, token).await? else {
            return Ok(None);
        };
        let present = self.present_session(&page).await?.map(|(_, row)| row);
        let Some(page) = self.hosted_page(kind, token).await? else {
            return Ok(None);
        };
        let to = |url: Option<String>, or| url.map_or(or, WayOn::Shop);
        let is_waiting = matches!(
            self.paying_operation(&page).await?,
            Some(Paying::Asking | Paying::Pending)
        );
        let terms = page.terms;
        Ok(Some(match page.life.status {
            HostedPageState::Paid(_) | HostedPageState::Failed => to(terms.result_url, WayOn::Page),
            HostedPageState::Canceled if kind == Kind::Page => to(terms.cancel_url, WayOn::Page),
            HostedPageState::Canceled => WayOn::Page,
            HostedPageState::Active => match present.map(|row| row.session.state) {
                Some(State::Complete { .. }) if is_waiting => to(terms.result_url, WayOn::Page),
                Some(State::Cancelled { .. }) => to(terms.cancel_url, WayOn::Left),
                _ => WayOn::Page,
            },
        }))
    }

    /// Where a browser goes whose buyer pressed cancel on the page itself.
    pub(crate) async fn hosted_left(
        &self,
        kind: Kind,
        token: &str,
    ) -> Result<Option<WayOn>, PaymentError> {
        self.leave_hosted(kind, token).await?;
        let way_on = self.hosted_return(kind, token).await?;
        if way_on != Some(WayOn::Page) {
            return Ok(way_on);
        }
        // A link on which nothing had begun: it stays as it is, and the buyer goes.
        let page = self.hosted_page(kind, token).await?;
        Ok(
            page.map(|page| match page.life.status(self.clock().now_ms()) {
                Status::Active => page.terms.cancel_url.map_or(WayOn::Left, WayOn::Shop),
                _ => WayOn::Page,
            }),
        )
    }
}

/// The merchant's rows in this language, else in English, else in the first that there is.
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
