//! The tools that read. None of them changes anything at the gateway.

use super::server::{AssistantServer, sentence};
use super::{codes, docs};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::{self, JsonSchema};
use rmcp::{tool, tool_router};
use serde::Deserialize;
use serde_json::json;
use url::form_urlencoded::{Serializer, byte_serialize};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OrderQuestion {
    /// The shop's id of the order.
    order_id: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OrdersQuestion {
    /// Only orders whose held money can be captured (`TO_CAPTURE`), or is captured completely (`CAPTURED`).
    order_state: Option<String>,
    /// Only orders with exactly this text in `order.customField`.
    custom_field: Option<String>,
    /// Only orders whose last operation is not older: an ISO 8601 instant with its zone, at most 31 days before `to_time`.
    from_time: Option<String>,
    /// Only orders whose last operation is older. For the next page: the time of the last row.
    to_time: Option<String>,
    /// How many orders at most, up to 500. Without it 20.
    max_records: Option<u16>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EventsQuestion {
    /// Only events behind this cursor: `nextCursor` of the last answer, or the `cursor` of an event. Without it the oldest events come.
    after: Option<String>,
    /// How many events at most, up to 500. Without it 20.
    limit: Option<u16>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SessionQuestion {
    /// The session's id, from the answer of POST /orders/build.
    session_id: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DocsQuestion {
    /// A question or some words, such as `refund a part of an order` or `Content-Security-Policy`.
    question: String,
    /// How many sections at most. Without it 8.
    limit: Option<u8>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PageQuestion {
    /// The name of the page, such as `first-payment`, `element`, `frameworks`, `api` or `packages/server`.
    page: String,
    /// The heading of a section, such as `POST /orders/build`. Without it the page from its beginning.
    section: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CodeQuestion {
    /// A code of the API (`PS0026`), of a warning (`GW9101`) or of the form (`frame_policy`).
    code: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CardsQuestion {
    /// Only cards with this text in their row: `approved`, `challenge`, `declined`, `pending`, a network such as `AMEX`, or the three digits of a case.
    outcome: Option<String>,
}

#[tool_router(router = reading_tools, vis = "pub(super)")]
impl AssistantServer {
    /// Says which gateway is asked, whether it answers, whether it is a sandbox or in production, whether the API key is valid, and whether test payments can be made here.
    #[tool(annotations(title = "Check the connection", read_only_hint = true))]
    async fn check_connection(&self) -> Result<String, String> {
        let said = |outcome: Result<String, String>| outcome.unwrap_or_else(|problem| problem);
        let ready = self.gateway.text("/ready").await;
        let key = self.gateway.get("/payment_methods").await;
        let pages = docs::pages(&self.gateway).await;
        let writes = match self.must_allow_writes().await {
            Ok(()) => String::from("allowed"),
            Err(reason) => reason,
        };
        let found = json!({
            "gateway": self.gateway.gateway(),
            "answers": said(ready.map_err(|problem| sentence(&problem))),
            "mode": said(self.mode().await),
            "apiKey": said(key.map(|_| String::from("valid")).map_err(|problem| sentence(&problem))),
            "docs": said(pages.map(|pages| format!("{} pages", pages.len()))),
            "testPayments": writes,
        });
        Ok(format!("{found:#}"))
    }

    /// Reads an order: what became of its money (`status`), its sums, and all its operations, newest first. Card numbers are masked.
    #[tool(annotations(title = "Read an order", read_only_hint = true))]
    async fn read_order(
        &self,
        Parameters(asked): Parameters<OrderQuestion>,
    ) -> Result<String, String> {
        self.read(&format!("/orders/{}", segment(&asked.order_id)))
            .await
    }

    /// Lists orders with their status and sums, newest first. Without `from_time` those of the last 31 days.
    #[tool(annotations(title = "List orders", read_only_hint = true))]
    async fn list_orders(
        &self,
        Parameters(asked): Parameters<OrdersQuestion>,
    ) -> Result<String, String> {
        let members = [
            ("orderState", asked.order_state),
            ("customField", asked.custom_field),
            ("fromTime", asked.from_time),
            ("toTime", asked.to_time),
            ("maxRecords", asked.max_records.map(|most| most.to_string())),
        ];
        self.read(&with_query("/orders", members)).await
    }

    /// Reads the feed of events: everything that notifications tell of, oldest first and without a gap. `nextCursor` goes on behind it.
    #[tool(annotations(title = "Read events", read_only_hint = true))]
    async fn list_events(
        &self,
        Parameters(asked): Parameters<EventsQuestion>,
    ) -> Result<String, String> {
        let limit = asked.limit.unwrap_or(20).to_string();
        let members = [("after", asked.after), ("limit", Some(limit))];
        self.read(&with_query("/events", members)).await
    }

    /// Reads where a session stands, with its operation once there is one.
    #[tool(annotations(title = "Read a session", read_only_hint = true))]
    async fn read_session(
        &self,
        Parameters(asked): Parameters<SessionQuestion>,
    ) -> Result<String, String> {
        let members = [("sessionId", Some(asked.session_id))];
        self.read(&with_query("/build/state", members)).await
    }

    /// Lists what buyers can pay with at the terminal of the API key.
    #[tool(annotations(title = "List payment methods", read_only_hint = true))]
    async fn list_payment_methods(&self) -> Result<String, String> {
        self.read("/payment_methods").await
    }

    /// Finds the sections of the docs that answer a question: guides, API, events, errors, packages, operation. Read them with read_doc.
    #[tool(annotations(title = "Search the docs", read_only_hint = true))]
    async fn search_docs(
        &self,
        Parameters(asked): Parameters<DocsQuestion>,
    ) -> Result<String, String> {
        let most = asked.limit.unwrap_or(8);
        let found = docs::search(&self.gateway, &asked.question, most.into()).await?;
        if found.is_empty() {
            return Err(String::from(
                "nothing in the docs has one of these words; ask with other words",
            ));
        }
        Ok(format!("{:#}", json!(found)))
    }

    /// Reads a page of the docs as Markdown, or one section of it. Of a long page without a section: its beginning and all headings.
    #[tool(annotations(title = "Read a page of the docs", read_only_hint = true))]
    async fn read_doc(
        &self,
        Parameters(asked): Parameters<PageQuestion>,
    ) -> Result<String, String> {
        let page = docs::page(&self.gateway, &asked.page).await?;
        docs::part(&page, asked.section.as_deref())
    }

    /// Explains an error code: what it means, whose fault it is, and what to do about it.
    #[tool(annotations(title = "Explain an error code", read_only_hint = true))]
    async fn explain_error(
        &self,
        Parameters(asked): Parameters<CodeQuestion>,
    ) -> Result<String, String> {
        if let Some(text) = codes::of_gateway(&asked.code) {
            return Ok(text);
        }
        let page = docs::page(&self.gateway, "errors").await?;
        codes::of_form(&page, &asked.code).ok_or_else(|| {
            format!(
                "neither the gateway nor the form has a code {}; search_docs may know the word",
                asked.code
            )
        })
    }

    /// Lists the test cards of a sandbox and what becomes of a payment with each. They are no real cards.
    #[tool(annotations(title = "List test cards", read_only_hint = true))]
    async fn list_test_cards(
        &self,
        Parameters(asked): Parameters<CardsQuestion>,
    ) -> Result<String, String> {
        let page = docs::page(&self.gateway, "testing").await?;
        let cards = docs::part(&page, Some("Test cards"))?;
        let Some(outcome) = asked.outcome else {
            return Ok(cards);
        };
        match docs::rows_with(&cards, &outcome) {
            rows if rows.is_empty() => Err(format!(
                "no row of the test cards has the text {outcome}; without `outcome` all are listed"
            )),
            rows => Ok(rows),
        }
    }
}

/// A path with the members that are given.
fn with_query<'a>(
    path: &str,
    members: impl IntoIterator<Item = (&'a str, Option<String>)>,
) -> String {
    let mut query = Serializer::new(String::new());
    for (name, value) in members {
        if let Some(value) = value {
            query.append_pair(name, &value);
        }
    }
    format!("{path}?{}", query.finish())
}

/// A text as one piece of a path.
fn segment(text: &str) -> String {
    let encoded: String = byte_serialize(text.as_bytes()).collect();
    encoded.replace('+', "%20")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_one_piece_of_a_path() {
        assert_eq!(segment("A1"), "A1");
        assert_eq!(segment("a/b?c#d +e"), "a%2Fb%3Fc%23d%20%2Be");
    }

    #[test]
    fn a_query_has_what_is_given() {
        let path = with_query(
            "/events",
            [("after", None), ("limit", Some(String::from("a b&")))],
        );
        assert_eq!(path, "/events?limit=a+b%26");
    }
}
