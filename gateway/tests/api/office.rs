//! The back office's pages, requested as a browser does it: with a cookie, with forms, through the router.

mod approvals;
mod audit_log;
mod calls_in_the_log;
mod card_testing;
mod commands;
mod contracts;
mod disputes;
mod forms;
mod keys;
mod links;
mod log_ins;
mod login;
mod members;
mod notifications;
mod order_actions;
mod orders;
mod page_watch;
mod passkeys;
mod passwords;
mod providers;
mod reauthentication;
mod reservations;
mod second_factor;
mod several_merchants;
mod statistics;
mod try_reviews;

use crate::harness::{Answer, TestApp};
use axum::body::Body;
use axum::http::Request;
use payframe_gateway::operator::{self, CommandError};
use std::cell::RefCell;

/// A person with a browser.
pub(crate) struct Person<'a> {
    app: &'a TestApp,
    /// The browser's cookie.
    cookie: RefCell<Option<String>>,
    /// The token in the forms of this person's pages.
    token: RefCell<String>,
}

impl<'a> Person<'a> {
    /// Not logged in.
    pub(crate) fn new(app: &'a TestApp) -> Person<'a> {
        Person {
            app,
            cookie: RefCell::default(),
            token: RefCell::default(),
        }
    }

    /// A new member of the demo merchant, logged in. `name` is their name and the beginning of their e-mail address.
    pub(crate) async fn logged_in(app: &'a TestApp, name: &str, role: &str) -> Person<'a> {
        Person::of_merchant(app, "demo", name, role).await
    }

    /// The same for any merchant.
    pub(crate) async fn of_merchant(
        app: &'a TestApp,
        merchant: &str,
        name: &str,
        role: &str,
    ) -> Person<'a> {
        let email = format!("{name}@shop.example");
        let password = added(app, &["members", "add", merchant, &email, role, name]).await;
        let person = Person::new(app);
        let answer = person.log_in(&email, &password).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        person
    }

    /// Sends the form of the log-in, and keeps the cookie.
    pub(crate) async fn log_in(&self, email: &str, password: &str) -> Answer {
        let answer = self
            .send(
                "/office/login",
                &[("email", email), ("password", password)],
                &[],
            )
            .await;
        if answer.status == 303 {
            self.take_token().await;
        }
        answer
    }

    /// Takes the token from the page of this person's log-ins, or from the one that has to come first.
    pub(crate) async fn take_token(&self) {
        let mut page = self.get("/office/log-ins").await;
        if let Some(first) = page.header("location").map(str::to_owned) {
            page = self.get(&first).await;
        }
        *self.token.borrow_mut() = form_token(&page);
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let mut request = Request::get(path);
        if let Some(cookie) = &*self.cookie.borrow() {
            request = request.header("cookie", cookie);
        }
        self.app.send(request.body(Body::empty()).unwrap()).await
    }

    /// Sends a form of this person's own page.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = self.token.borrow().clone();
        let mut all = vec![("token", token.as_str())];
        all.extend_from_slice(fields);
        self.send(path, &all, &[]).await
    }

    /// Sends a form with a token and a file.
    pub(crate) async fn upload(
        &self,
        path: &str,
        token: &str,
        (name, content): (&str, &[u8]),
    ) -> Answer {
        let part = |disposition: &str| {
            format!("--limit\r\ncontent-disposition: form-data; {disposition}\r\n\r\n")
        };
        let mut body = part("name=\"token\"") + token + "\r\n";
        body += &part(&format!("name=\"file\"; filename=\"{name}\""));
        let mut body = body.into_bytes();
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n--limit--\r\n");
        let request = Request::post(path)
            .header("content-type", "multipart/form-data; boundary=limit")
            .header("cookie", self.cookie());
        let request = request.body(Body::from(body)).unwrap();
        Box::pin(self.send_form(path, request)).await
    }

    /// Sends a form, which is in the audit log if it was carried out.
    async fn send_form(&self, path: &str, request: Request<Body>) -> Answer {
        let before = forms::acts(self.app).await;
        let answer = self.app.send(request).await;
        forms::assert_written_down(self.app, path, &before, &answer).await;
        answer
    }

    /// Sends fields as they are, with further headers.
    pub(crate) async fn send(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> Answer {
        let body = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let mut request =
            Request::post(path).header("content-type", "application/x-www-form-urlencoded");
        if let Some(cookie) = &*self.cookie.borrow() {
            request = request.header("cookie", cookie);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body)).unwrap();
        let answer = Box::pin(self.send_form(path, request)).await;
        if let Some(set) = answer.header("set-cookie") {
            let (cookie, _) = set.split_once(';').unwrap();
            *self.cookie.borrow_mut() = Some(cookie.to_owned());
        }
        answer
    }

    /// The token in the forms of this person's pages.
    pub(crate) fn token(&self) -> String {
        self.token.borrow().clone()
    }

    /// The browser's cookie.
    pub(crate) fn cookie(&self) -> String {
        self.cookie.borrow().clone().unwrap_or_default()
    }
}

/// Carries out a command while the gateway runs.
pub(crate) async fn command(app: &TestApp, words: &[&str]) -> Result<String, CommandError> {
    operator::command(app.config(), &app.clock, words).await
}

/// The password that a command made, as if the member had chosen it.
pub(crate) async fn added(app: &TestApp, words: &[&str]) -> String {
    let password = first_password(app, words).await;
    app.change("UPDATE member SET must_change = 0").await;
    password
}

/// The password that a command made. The member has to choose another one.
pub(crate) async fn first_password(app: &TestApp, words: &[&str]) -> String {
    let told = command(app, words).await.unwrap();
    told.lines().nth(1).unwrap().to_owned()
}

/// The token in the forms of a page.
pub(crate) fn form_token(page: &Answer) -> String {
    field(page, "token")
}

/// The value of the first field with this name, as it is in the page.
pub(crate) fn field(page: &Answer, name: &str) -> String {
    let text = page.text();
    let (_, rest) = text
        .split_once(&format!("name=\"{name}\" value=\""))
        .unwrap();
    rest.split_once('"').unwrap().0.to_owned()
}
