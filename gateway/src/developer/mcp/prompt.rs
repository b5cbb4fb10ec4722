//! The prompt that makes an assistant build the payment form into a shop.

use super::server::AssistantServer;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{PromptMessage, Role};
use rmcp::schemars::{self, JsonSchema};
use rmcp::{prompt, prompt_router};
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Shop {
    /// What the shop's pages are made with: html, react, next, vue, nuxt, svelte, sveltekit, angular, or anything else. Without it the assistant finds out.
    stack: Option<String>,
    /// What the shop's server is written in: javascript, python, php, or anything else. Without it the assistant finds out.
    server: Option<String>,
}

#[prompt_router(router = "prompts", vis = "pub(super)")]
impl AssistantServer {
    /// Builds the payment form into the shop that is open in the editor: server, page, notifications, and a test payment.
    #[prompt(name = "integrate_payment_form")]
    async fn integrate_payment_form(
        &self,
        Parameters(shop): Parameters<Shop>,
    ) -> Vec<PromptMessage> {
        vec![PromptMessage::new_text(Role::User, text(&shop))]
    }
}

fn text(shop: &Shop) -> String {
    let named = |name: &Option<String>| name.clone().filter(|name| !name.trim().is_empty());
    let stack = named(&shop.stack);
    let server = named(&shop.server);
    let page = match known(&FRAMEWORKS, stack.as_deref()) {
        Some((page, section)) => format!("the page `{page}`, section `{section}`"),
        None => String::from("the page `element`"),
    };
    let client = match known(&CLIENTS, server.as_deref()) {
        Some((page, _)) => format!("the page `{page}`"),
        None => String::from("the page `api/payments`, section `POST /orders/build`"),
    };
    let unknown = || String::from("what this project uses (look)");
    let (stack, server) = (
        stack.unwrap_or_else(unknown),
        server.unwrap_or_else(unknown),
    );
    format!(
        "\
Build the Payframe payment form into this shop. Its pages are made with {stack}, its server with {server}.

1. Call `check_connection`. Work only against a sandbox; if there is none, tell me to run `payframe-gateway demo`.
2. Read with `read_doc`, before you write code: the page `first-payment`, {page}, and {client}. Search the docs instead of guessing.
3. Server: open a session when the buyer checks out. The amount comes from the shop's own order, never from the browser. The API key is read \
from the environment, stays on the server, and is in no file of the repository.
4. Page: show the form with the session's id. The shop has no input for card data of its own, and loads no script that reads the form.
5. Server: when the buyer comes back, and when a notification arrives, read the order at the gateway. Only its `status` says whether it is \
paid; what the browser reports is a hint. Verify each notification (page `gateway`, section `Notifications`), and heed each `eventId` once.
6. Policy: if the shop has a Content-Security-Policy, add what the page `element`, section `The policy to copy` says.
7. Try it: pay with cards of `list_test_cards` (approved, challenge, declined), and look at each order with `read_order`. `explain_error` \
says what to do about a code.
8. Tell me what you changed, what you tried, and what the page `going-live` still asks for."
    )
}

/// What is known of a name: a page of the docs and a section.
fn known(
    list: &[(&str, &'static str, &'static str)],
    name: Option<&str>,
) -> Option<(&'static str, &'static str)> {
    let name = name?.trim().to_lowercase();
    let found = list.iter().find(|(known, _, _)| *known == name);
    found.map(|&(_, page, section)| (page, section))
}

const FRAMEWORKS: [(&str, &str, &str); 7] = [
    ("react", "frameworks", "React"),
    ("next", "frameworks", "Next"),
    ("vue", "frameworks", "Vue"),
    ("nuxt", "frameworks", "Vue"),
    ("svelte", "frameworks", "Svelte"),
    ("sveltekit", "frameworks", "Svelte"),
    ("angular", "frameworks", "Angular"),
];

const CLIENTS: [(&str, &str, &str); 5] = [
    ("javascript", "packages/server", ""),
    ("typescript", "packages/server", ""),
    ("node", "packages/server", ""),
    ("python", "packages/python", ""),
    ("php", "packages/php", ""),
];

#[cfg(test)]
mod tests {
    // A panic fails the test.
    #![allow(clippy::unwrap_used)]

    use super::super::docs;
    use super::*;
    use std::path::Path;

    fn prompt(stack: &str, server: &str) -> String {
        text(&Shop {
            stack: Some(stack.to_owned()),
            server: Some(server.to_owned()),
        })
    }

    #[test]
    fn a_known_stack_is_sent_to_its_pages_and_any_other_to_the_element() {
        let next = prompt("Next", "PHP");
        assert!(
            next.contains("made with Next, its server with PHP."),
            "{next}"
        );
        assert!(
            next.contains("the page `frameworks`, section `Next`, and the page `packages/php`."),
            "{next}"
        );
        let other = prompt("htmx", " ");
        assert!(
            other.contains("made with htmx, its server with what this project uses"),
            "{other}"
        );
        assert!(
            other.contains(
                "the page `element`, and the page `api/payments`, section `POST /orders/build`."
            ),
            "{other}"
        );
    }

    #[test]
    fn every_page_and_section_that_is_named_is_there() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let mut read = 0;
        let stacks = FRAMEWORKS.iter().map(|(name, _, _)| prompt(name, ""));
        let clients = CLIENTS.iter().map(|(name, _, _)| prompt("", name));
        for text in stacks.chain(clients) {
            for after in text.split("page `").skip(1) {
                let (page, rest) = after.split_once('`').unwrap();
                let file = match page.strip_prefix("packages/") {
                    Some(package) => format!("packages/{package}/README.md"),
                    None => format!("docs/{page}.md"),
                };
                let markdown = std::fs::read_to_string(root.join(&file)).unwrap();
                if let Some(section) = rest.strip_prefix(", section `") {
                    let section = section.split('`').next().unwrap();
                    assert!(
                        docs::part(&markdown, Some(section)).is_ok(),
                        "{file}: {section}"
                    );
                }
                read += 1;
            }
        }
        assert!(read > 30, "{read}");
    }
}
