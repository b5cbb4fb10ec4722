//! FieldResult an order, and what its page shows.

use super::Person;
use crate::harness::{APPROVED, Answer, DECLINED, TestApp, build};
use crate::lists::{order, paid, shop};
use serde_json::json;

/// The ids of a list, in its order.
fn listed(page: &Answer) -> String {
    let text = page.text();
    let rows = text
        .split("<th scope=\"row\"><a href=\"/office/orders/")
        .skip(1);
    let ids = rows.map(|row| {
        let (_, rest) = row.split_once('>').unwrap();
        rest.split_once('<').unwrap().0.to_owned()
    });
    ids.collect::<Vec<_>>().join(" ")
}

async fn found(person: &Person<'_>, query: &str) -> String {
    let page = person.get(&format!("/office/orders{query}")).await;
    assert_eq!(page.status, 200, "{query}: {}", page.text());
    listed(&page)
}

#[tokio::test]
async fn orders_are_found_by_what_people_know_of_them() {
    let app = shop().await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let operation = app.order("A2").await["operations"][0]["operationId"].clone();
    let operation = format!("?q={}", operation.as_str().unwrap());
    for (query, expected) in [
        ("", "A3 A2 A1"),
        ("?q=A2", "A2"),
        ("?q=%20A2%20", "A2"),
        (operation.as_str(), "A2"),
        // The order of another merchant.
        ("?q=B1", ""),
        ("?status=PAID", "A1"),
        ("?status=TO_CAPTURE", "A2"),
        ("?status=REFUSED", "A3"),
        ("?status=REFUNDED", ""),
        ("?currency=EUR&least=10&most=20", "A2 A1"),
        ("?currency=EUR&least=20.01", "A3"),
        ("?currency=EUR&most=10,00", "A1"),
        ("?currency=USD", ""),
        ("?from=2026-11-20&to=2026-11-20", "A3 A2 A1"),
        ("?to=2026-11-19", ""),
        ("?from=2026-11-21", ""),
        ("?circuit=VISA", "A3 A2 A1"),
        ("?circuit=MAST", ""),
        ("?last_four=0003", "A2 A1"),
        ("?last_four=1167", "A3"),
        ("?last_four=1167&circuit=VISA&status=REFUSED", "A3"),
        ("?last_four=1167&status=PAID", ""),
    ] {
        assert_eq!(found(&person, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn what_can_not_be_searched_by_is_said_beside_its_field_and_kept() {
    let app = shop().await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    for (query, field, typed, sentence) in [
        (
            "from=20.11.2026",
            "from",
            "20.11.2026",
            "Write a day as in 2026-11-20.",
        ),
        (
            "from=2026-11-20&to=2026-11-19",
            "to",
            "2026-11-19",
            "This day is before the first one.",
        ),
        (
            "currency=EUR&least=ten",
            "least",
            "ten",
            "Write a number of EUR with at most 2 digits behind the point, as in 1234.56.",
        ),
        (
            "currency=EUR&least=20&most=10",
            "most",
            "10",
            "This is less than the least amount.",
        ),
        (
            "least=10",
            "currency",
            "10",
            "Choose the currency of the amounts.",
        ),
        (
            "last_four=11",
            "last_four",
            "11",
            "Write the last four digits of the card number.",
        ),
        ("status=LOST", "status", "Any", "Choose one of the list."),
    ] {
        let page = person.get(&format!("/office/orders?{query}")).await;
        let text = page.text();
        assert_eq!((page.status, listed(&page).as_str()), (400, ""), "{query}");
        let marked = format!("aria-invalid=\"true\" aria-describedby=\"{field}-wrong\"");
        let said = format!("<p class=\"wrong\" id=\"{field}-wrong\">{sentence}</p>");
        assert!(
            text.contains(&marked) && text.contains(&said),
            "{query}: {text}"
        );
        let kept = match field {
            "status" => String::from("<option value=\"\">Any</option>"),
            _ => format!("value=\"{typed}\""),
        };
        assert!(text.contains(&kept), "{query}: {text}");
    }
}

#[tokio::test]
async fn a_list_goes_on_page_by_page_with_its_filter() {
    let app = TestApp::new().await;
    for place in 0..27 {
        let request = order(&format!("A{place}"), "1000", "red");
        paid(&app, "sandbox-implicit", &request, APPROVED).await;
    }
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let first = person.get("/office/orders?status=PAID").await;
    assert_eq!(listed(&first).split(' ').count(), 25);
    let text = first.text();
    let (_, rest) = text
        .split_once("<a href=\"/office/orders?status=PAID")
        .unwrap();
    let next = rest.split_once('"').unwrap().0.replace("&#38;", "&");
    assert_eq!(
        found(&person, &format!("?status=PAID{next}")).await,
        "A1 A0"
    );
    assert!(
        !person
            .get(&format!("/office/orders?status=PAID{next}"))
            .await
            .text()
            .contains("rel=\"next\"")
    );
}

#[tokio::test]
async fn an_order_that_nobody_has_tried_to_pay_is_named() {
    let app = shop().await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let page = person.get("/office/orders?q=A4").await.text();
    assert!(
        page.contains("Nobody has tried to pay this order yet."),
        "{page}"
    );
    assert!(page.contains("href=\"/office/orders/A4\""));
    let page = person.get("/office/orders/A4").await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("Not paid"));
    let none = person.get("/office/orders?q=nothing").await.text();
    assert!(none.contains("No order fits what you searched for."));
    let other = Person::of_merchant(&app, "other", "otto", "viewer").await;
    assert!(other.get("/office/orders").await.text().contains("B1"));
}

#[tokio::test]
async fn an_order_is_told_with_everything_that_happened_to_it() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["order"]["description"] = json!("<b>Books</b>");
    request["order"]["customerInfo"] = json!({ "cardHolderName": "Anna Rossi" });
    paid(&app, "sandbox-implicit", &request, DECLINED).await;
    paid(&app, "sandbox-implicit", &request, APPROVED).await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let page = person.get("/office/orders/A1").await;
    let text = page.text();
    assert_eq!(page.status, 200, "{text}");
    for expected in [
        "<span class=\"badge good\">Paid</span>",
        "<dt>Captured</dt><dd>€35.45</dd>",
        "<dt>Description</dt><dd>&#60;b&#62;Books&#60;/b&#62;</dd>",
        "<dt>Card holder name</dt><dd>Anna Rossi</dd>",
        "<span class=\"badge bad\">Declined</span>",
        "Reason: insufficient funds (116)",
        "<time datetime=\"2026-11-20T10:00:00.000Z\">20 Nov 2026, 10:00 UTC</time>",
        "Visa ***0003",
        "<dt>Card</dt><dd>476173******0003</dd>",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let declined = text.find("Declined").unwrap();
    assert!(declined < text.find("Done").unwrap(), "the oldest first");
    assert!(!text.contains(APPROVED) && !text.contains(DECLINED));
}

#[tokio::test]
async fn other_merchants_orders_are_not_there() {
    let app = shop().await;
    let person = Person::logged_in(&app, "olaf", "operator").await;
    let theirs = app
        .key("sandbox-other-merchant")
        .get("/orders/B1")
        .await
        .ok();
    let id = theirs["operations"][0]["operationId"].as_str().unwrap();
    for path in [
        String::from("/office/orders/B1"),
        String::from("/office/orders/nothing"),
        format!("/office/orders/B1/{id}/refund"),
        // An operation of another merchant's order.
        format!("/office/orders/A1/{id}/refund"),
        String::from("/office/orders/A1/1/refund"),
        String::from("/office/orders/A1/1/give"),
    ] {
        assert_eq!(person.get(&path).await.status, 404, "{path}");
        if path.ends_with("refund") {
            let fields = [("key", "k"), ("most", "1000"), ("amount", "10")];
            assert_eq!(person.post(&path, &fields).await.status, 404, "{path}");
        }
    }
}
