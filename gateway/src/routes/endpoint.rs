//! An endpoint of the API: an axum handler, its description, and what applies to a call before the handler runs.
//!
//! A module with endpoints has a function `endpoints`, which [`super::router`] names. A handler and its endpoint:
//!
//! ```text
//! /// Read an order
//! ///
//! /// The order, and each of its operations.
//! #[utoipa::path(
//!     get, path = "/orders/{orderId}", operation_id = "readOrder", tag = BACK_OFFICE,
//!     params(("orderId" = String, Path, description = "The order, by its id.", example = "A1B2C3")),
//!     responses((status = 200, body = OrderAnswer)),
//! )]
//! async fn read_order(State(app): State<App>, CallingTerminal(terminal): CallingTerminal, PathId(order_id): PathId)
//!     -> Result<Json<OrderAnswer>, ApiError> { … }
//!
//! pub(super) fn endpoints() -> Vec<Endpoint> {
//!     vec![Endpoint::of(routes!(read_order))]
//! }
//! ```
//!
//! The first paragraph of the doc comment is the title of the operation in the documents, the rest says what the call does. What
//! is the same for all calls of a kind (headers, credentials, refusals) is added by [`super::openapi`].

use super::answers;
use super::caller::Callers;
use super::money::Money;
use super::requests::schema::{self, Parameter, plain};
use crate::App;
use crate::admission::CallKind;
use axum::http::Method;
use axum::routing::MethodRouter;
use payframe_error_codes::ErrorCode;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::router::UtoipaMethodRouter;

/// A call of the API.
pub(crate) struct Endpoint {
    /// The name for client generators: a verb and a noun, unique.
    pub(crate) id: String,
    pub(crate) verb: Verb,
    /// Below the base; at most one parameter, in braces.
    pub(crate) path: String,
    /// Which gateways have the call.
    pub(crate) availability: Availability,
    /// What may be between `/api` and `path`. The documents use the first.
    pub(crate) bases: &'static [&'static str],
    /// Other verbs and paths of the same call.
    pub(crate) aliases: Vec<Name>,
    /// A heading of the documents: one of [`super::openapi::TAGS`].
    pub(crate) tag: String,
    /// A few words without a full stop.
    pub(crate) title: String,
    /// Sentences in Markdown: what the call does, and what is special about it.
    pub(crate) about: String,
    pub(crate) callers: Callers,
    /// Whether a call has an idempotency key. Servers may still leave it out: see [`Endpoint::makes_key`].
    pub(crate) idempotency_key: Needed,
    /// Where the call names its object.
    pub(crate) object: Object,
    /// Whether the call makes the gateway ask an acquirer for money, now or later.
    pub(crate) money: Money,
    /// Whether the call has to do with the version of an order.
    pub(crate) order_version: OrderVersion,
    /// Whether items of the body may come encrypted ([`payframe_payment_service::card_keys`]).
    pub(crate) encryption: Encryption,
    /// The meaning of the path's parameter, if there is one.
    pub(crate) parameter: Option<PathParameter>,
    /// The parameters of its query.
    pub(crate) query: Vec<Parameter>,
    /// Whether a body is mandatory, and its schema. Without it the body is not read.
    pub(crate) body: Option<(Needed, Value)>,
    /// How many bytes the body may have.
    pub(crate) body_limit: usize,
    /// The schemas of a successful answer; the second is for frames. Without them the answer has no body.
    pub(crate) answers: Vec<Value>,
    /// The schemas that the answers refer to, by their names.
    pub(crate) schemas: Map<String, Value>,
    /// The codes of its own refusals. The codes of every call of its kind are added to them.
    pub(crate) refusals: &'static [ErrorCode],
    /// Carries a call out: steps 8 to 15 of the contract's table of precedence.
    pub(crate) handler: MethodRouter<App>,
}

/// A verb and a path of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    pub(crate) verb: Verb,
    pub(crate) path: &'static str,
    pub(crate) bases: &'static [&'static str],
}

/// What the parameter of a path means.
#[derive(Clone, Debug)]
pub(crate) struct PathParameter {
    /// A sentence.
    pub(crate) meaning: String,
    pub(crate) example: String,
}

/// The verbs that the API has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Reads. HEAD gives the same answer without a body.
    Get,
    /// Acts.
    Post,
    /// Replaces the whole. The same call twice is the same as once.
    Put,
    /// Changes the members that are sent, and leaves the others.
    Patch,
    /// Only for an alias: the same action, for clients that use this verb.
    Delete,
}

/// Whether something is mandatory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    /// It is mandatory.
    Yes,
    /// It may be left out.
    No,
}

/// Which gateways have a call. The documents have it in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Availability {
    /// Every gateway.
    Always,
    /// Those whose clock tests may advance: sandboxes. Elsewhere its path does not exist.
    WithTestClock,
}

/// The place in a call that names its object. An unknown object is answered with 404.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    /// In its path, if that has a parameter.
    InPath,
    /// In its body.
    InBody,
}

/// Whether a call has to do with the version of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderVersion {
    /// It has not.
    None,
    /// The answer has it, in the header `ETag`.
    Told,
    /// The caller may send it, in the header `If-Match`: another one refuses the call.
    Compared,
}

/// Whether items of a call's body may come encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encryption {
    /// They may be encrypted.
    Possible,
    /// There is nothing to encrypt.
    None,
}

impl Endpoint {
    /// The endpoint of a handler, from its `utoipa::path`. Its callers are merchants' servers.
    pub(crate) fn of((schemas, paths, handler): UtoipaMethodRouter<App>) -> Endpoint {
        let paths = serde_json::to_value(paths).unwrap_or_default();
        let (path, verbs) = first(&paths);
        let (verb, described) = first(verbs);
        let text = |pointer: &str| {
            let text = described.pointer(pointer).and_then(Value::as_str);
            plain(text.unwrap_or_default())
        };
        let parameter = described.pointer("/parameters/0").map(|_| PathParameter {
            meaning: text("/parameters/0/description"),
            example: text("/parameters/0/example"),
        });
        let body = described.get("requestBody").map(|body| {
            let needed = match body["required"].as_bool() {
                Some(true) => Needed::Yes,
                _ => Needed::No,
            };
            let schema = body["content"]["application/json"]["schema"].clone();
            (needed, schema::of_body(schema, &schemas))
        });
        let answer = described.pointer("/responses/200/content/application~1json/schema");
        Endpoint {
            id: text("/operationId"),
            verb: match verb {
                "get" => Verb::Get,
                "put" => Verb::Put,
                "patch" => Verb::Patch,
                _ => Verb::Post,
            },
            path: path.to_owned(),
            availability: Availability::Always,
            bases: BASES,
            aliases: Vec::new(),
            tag: text("/tags/0"),
            title: text("/summary"),
            about: text("/description"),
            callers: Callers::Merchant,
            idempotency_key: Needed::No,
            object: Object::InPath,
            money: Money::None,
            order_version: OrderVersion::None,
            encryption: Encryption::None,
            parameter,
            query: Vec::new(),
            body,
            body_limit: BODY_LIMIT,
            schemas: answer.map_or_else(Map::new, |answer| answers::referred_to(answer, &schemas)),
            answers: answer.cloned().into_iter().collect(),
            refusals: &[],
            handler,
        }
    }

    /// What its calls are about, for their place at work.
    pub(crate) fn call_kind(&self) -> CallKind {
        match (self.callers, self.money) {
            (Callers::MerchantOrFrame | Callers::Frame, _) => CallKind::OfPayment,
            (Callers::Merchant, Money::AskedOfBuyer) => CallKind::Beginning,
            (Callers::Merchant, Money::Asked | Money::None) => CallKind::Other,
        }
    }

    /// Whether its body has a card, in clear.
    pub(crate) fn takes_card(&self) -> bool {
        let members = self.body.as_ref();
        let members = members.and_then(|(_, schema)| schema.get("properties"));
        members.is_some_and(|members| members.get("card").is_some())
    }

    /// Serves the endpoint only where tests may advance the clock.
    pub(crate) fn only_with_test_clock(self) -> Endpoint {
        Endpoint {
            availability: Availability::WithTestClock,
            ..self
        }
    }

    /// Serves the endpoint below these paths instead of [`BASES`].
    pub(crate) fn bases(self, bases: &'static [&'static str]) -> Endpoint {
        Endpoint { bases, ..self }
    }

    /// Adds another verb and path of the same call.
    pub(crate) fn alias(
        mut self,
        verb: Verb,
        path: &'static str,
        bases: &'static [&'static str],
    ) -> Endpoint {
        self.aliases.push(Name { verb, path, bases });
        self
    }

    /// Sets who may call, instead of merchants' servers only.
    pub(crate) fn callers(self, callers: Callers) -> Endpoint {
        Endpoint { callers, ..self }
    }

    /// Declares that a call has an idempotency key.
    pub(crate) fn with_idempotency_key(self) -> Endpoint {
        Endpoint {
            idempotency_key: Needed::Yes,
            ..self
        }
    }

    /// Declares that the body names an object that may be unknown.
    pub(crate) fn with_object_in_body(self) -> Endpoint {
        Endpoint {
            object: Object::InBody,
            ..self
        }
    }

    /// Declares that the call makes the gateway ask an acquirer for money, now or later.
    pub(crate) fn asking_for_money(self) -> Endpoint {
        Endpoint {
            money: Money::Asked,
            ..self
        }
    }

    /// The same, for a payment of a buyer, who has to be authenticated unless the operator decided otherwise.
    pub(crate) fn asking_for_buyers_money(self) -> Endpoint {
        Endpoint {
            money: Money::AskedOfBuyer,
            ..self
        }
    }

    /// Declares that the answer has the version of an order.
    pub(crate) fn telling_order_version(self) -> Endpoint {
        Endpoint {
            order_version: OrderVersion::Told,
            ..self
        }
    }

    /// Declares that a caller may name the version of the order that it acts on.
    pub(crate) fn comparing_order_version(self) -> Endpoint {
        Endpoint {
            order_version: OrderVersion::Compared,
            ..self
        }
    }

    /// Declares that items of the body may come encrypted.
    pub(crate) fn with_encryption(self) -> Endpoint {
        Endpoint {
            encryption: Encryption::Possible,
            ..self
        }
    }

    /// Sets the parameters of its query. They are not in `utoipa::path`, because utoipa's `IntoParams` does not know flattened structs.
    pub(crate) fn query<T: ToSchema>(self) -> Endpoint {
        Endpoint {
            query: schema::parameters::<T>(),
            ..self
        }
    }

    /// Adds the answer to frames, which differs from the answer to merchants' servers.
    pub(crate) fn answer_to_frames<T: ToSchema>(mut self) -> Endpoint {
        let answer = answers::describe::<T>(&mut self.schemas);
        self.answers.push(answer);
        self
    }

    /// Sets how many bytes the body may have, instead of [`BODY_LIMIT`].
    pub(crate) fn body_limit(self, body_limit: usize) -> Endpoint {
        Endpoint { body_limit, ..self }
    }

    /// Sets the codes of its own refusals.
    pub(crate) fn refusals(self, refusals: &'static [ErrorCode]) -> Endpoint {
        Endpoint { refusals, ..self }
    }

    /// Whether the gateway makes an idempotency key for a call without one, and warns: existing servers
    /// send none. Frames are ours, and always send one.
    pub(crate) fn makes_key(&self) -> bool {
        self.idempotency_key == Needed::Yes && self.callers == Callers::Merchant
    }

    /// Whether a body is mandatory.
    pub(crate) fn needs_body(&self) -> bool {
        matches!(self.body, Some((Needed::Yes, _)))
    }

    /// Every verb and path of the endpoint; the first is the one in the documents.
    pub(crate) fn names(&'static self) -> impl Iterator<Item = Name> {
        let itself = Name {
            verb: self.verb,
            path: &self.path,
            bases: self.bases,
        };
        std::iter::once(itself).chain(self.aliases.iter().copied())
    }
}

impl Verb {
    /// The verb as a request line has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verb::Get => "GET",
            Verb::Post => "POST",
            Verb::Put => "PUT",
            Verb::Patch => "PATCH",
            Verb::Delete => "DELETE",
        }
    }

    /// The method of HTTP.
    pub(crate) fn method(self) -> Method {
        match self {
            Verb::Get => Method::GET,
            Verb::Post => Method::POST,
            Verb::Put => Method::PUT,
            Verb::Patch => Method::PATCH,
            Verb::Delete => Method::DELETE,
        }
    }
}

/// The only member of an object.
fn first(object: &Value) -> (&str, &Value) {
    let members = object.as_object().into_iter().flatten();
    members
        .map(|(name, value)| (name.as_str(), value))
        .next()
        .unwrap_or(("", &Value::Null))
}

/// The tags of the document, which [`super::openapi`] describes.
pub(crate) const PAYMENTS: &str = "Payments";
pub(crate) const BACK_OFFICE: &str = "Back office";
pub(crate) const GUARANTEED_COLLECTION: &str = "Guaranteed collection";
pub(crate) const FRAMES: &str = "Frames";
pub(crate) const SANDBOX: &str = "Sandbox";

/// Directly below `/api`, and below `/api/v1` for clients whose base ends so (contract 1.1).
pub(crate) const BASES: &[&str] = &["", "/v1"];

/// Contract 1.10.
pub(crate) const BODY_LIMIT: usize = 256 * 1024;

/// For texts that buyers accept (contract 1.10).
pub(crate) const LONG_BODY_LIMIT: usize = 2 * 1024 * 1024;
