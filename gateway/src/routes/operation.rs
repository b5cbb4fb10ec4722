//! What an operation of the API is. Each is declared once, in the module that carries it out. Routing, the checks
//! of every call, the OpenAPI document and `docs/api.md` are made from that declaration.
//!
//! A module with operations has a constant `OPERATIONS`, which [`super::table`] names. A declaration:
//!
//! ```text
//! pub(super) const OPERATIONS: &[Operation] = &[Operation {
//!     area: Area::BackOffice,
//!     title: "Read an order",
//!     about: "What became of it, and each of its operations.",
//!     answer: answers::<OrderAnswer>(),
//!     ..Operation::get("readOrder", "/orders/{orderId}", |app, call| Box::pin(order(app, call)))
//! }];
//! ```
//!
//! The body and the query of a call are a struct each ([`super::requests`]).

use super::Reply;
use super::answers::AnswerSchema;
use super::call::Call;
use super::caller::Callers;
use super::error::ApiError;
use super::requests::schema::{self, BodySchema, Parameter};
use crate::App;
use payframe_error_codes::ErrorCode;
use serde_json::{Value, json};
use std::pin::Pin;
use utoipa::ToSchema;

/// A call of the API.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    /// The name for client generators: a verb and a noun, unique.
    pub(crate) id: &'static str,
    pub(crate) verb: Verb,
    /// Below the base; at most one parameter, in braces.
    pub(crate) path: &'static str,
    /// What may be between `/api` and `path`. The documents use the first.
    pub(crate) bases: &'static [&'static str],
    /// Other names of the same call.
    pub(crate) aliases: &'static [Alias],
    pub(crate) area: Area,
    /// A few words without a full stop.
    pub(crate) title: &'static str,
    /// Sentences in Markdown: what the call does, and what is special about it.
    pub(crate) about: &'static str,
    pub(crate) callers: Callers,
    /// Whether a call has an idempotency key. Servers may still leave it out: see [`Operation::makes_key`].
    pub(crate) idempotency_key: Needed,
    /// Where the call names its object.
    pub(crate) object: Object,
    /// Whether the call makes the gateway ask an acquirer for money, now or later.
    pub(crate) money: Money,
    /// Whether items of the body may be encrypted ([`payframe_payment_service::card_keys`]).
    pub(crate) encryption: Encryption,
    /// The meaning of the path's parameter, if there is one.
    pub(crate) parameter: PathParameter,
    /// The parameters of its query.
    pub(crate) query: fn() -> Vec<Parameter>,
    pub(crate) request: Request,
    /// How many bytes the body may have.
    pub(crate) body_limit: usize,
    pub(crate) answer: Answer,
    /// The codes of its own refusals. The codes of every call of its kind are added to them.
    pub(crate) refusals: &'static [ErrorCode],
    pub(crate) run: Run,
}

/// Carries a call out: steps 8 to 15 of the contract's table of precedence.
pub(crate) type Run = for<'a> fn(&'a App, &'a Call) -> Answering<'a>;

/// A call that is being carried out.
pub(crate) type Answering<'a> = Pin<Box<dyn Future<Output = Result<Reply, ApiError>> + Send + 'a>>;

/// Another name of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alias {
    pub(crate) verb: Verb,
    pub(crate) path: &'static str,
    pub(crate) bases: &'static [&'static str],
}

/// What the parameter of a path means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathParameter {
    /// A sentence.
    pub(crate) meaning: &'static str,
    pub(crate) example: &'static str,
}

impl PathParameter {
    /// For paths without a parameter.
    const NONE: PathParameter = PathParameter::new("", "");

    /// The meaning, and an example.
    pub(crate) const fn new(meaning: &'static str, example: &'static str) -> PathParameter {
        PathParameter { meaning, example }
    }
}

/// The area of an operation: a heading of the documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    /// Contract 3, 4 and 8.1.
    Payments,
    /// Contract 8.2.
    BackOffice,
    /// Contract 8.3.
    GuaranteedCollection,
    /// Contract 5.
    Frames,
}

/// The verbs that the API has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Reads. HEAD is the same without a body.
    Get,
    /// Acts.
    Post,
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

/// The place in a call that names its object. An unknown object is answered with 404.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    /// In its path, if that has a parameter.
    InPath,
    /// In its body.
    InBody,
}

/// Whether a call asks an acquirer for money. Without an acquirer it is refused before its body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Money {
    /// It asks, or begins a payment that will.
    Asked,
    /// It does not ask.
    None,
}

/// Whether items of a call's body may come encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encryption {
    /// They may be encrypted.
    Possible,
    /// There is nothing to encrypt.
    None,
}

/// The body of a call.
#[derive(Clone, Copy)]
pub(crate) enum Request {
    /// The body is not read.
    None,
    /// An object.
    Object(Needed, BodySchema),
    /// An array; the schema is that of an element.
    Array(BodySchema),
}

/// The body must be this object.
pub(crate) const fn body<T: ToSchema>() -> Request {
    Request::Object(Needed::Yes, schema::of::<T>)
}

/// The body may be this object, or be left out.
pub(crate) const fn optional_body<T: ToSchema>() -> Request {
    Request::Object(Needed::No, schema::of::<T>)
}

/// The body must be an array of these objects.
pub(crate) const fn array_of<T: ToSchema>() -> Request {
    Request::Array(schema::of::<T>)
}

/// The body of a successful answer.
#[derive(Clone, Copy)]
pub(crate) enum Answer {
    /// There is none.
    Empty,
    /// One of these, as JSON.
    Json(&'static [AnswerSchema]),
}

/// A successful answer is this type as JSON.
pub(crate) const fn answers<T: ToSchema>() -> Answer {
    Answer::Json(const { &[AnswerSchema::of::<T>()] })
}

/// A successful answer is a list of this type.
pub(crate) const fn answers_list<T: ToSchema>() -> Answer {
    Answer::Json(const { &[AnswerSchema::list_of::<T>()] })
}

/// A successful answer has one of two types: the first for merchants' servers, the second for frames.
pub(crate) const fn answers_either<M: ToSchema, F: ToSchema>() -> Answer {
    Answer::Json(const { &[AnswerSchema::of::<M>(), AnswerSchema::of::<F>()] })
}

impl Operation {
    /// The body: whether it is mandatory, and its schema.
    pub(crate) fn body_schema(&self) -> Option<(Needed, Value)> {
        match self.request {
            Request::None => None,
            Request::Object(needed, schema) => Some((needed, schema())),
            Request::Array(schema) => {
                Some((Needed::Yes, json!({ "type": "array", "items": schema() })))
            }
        }
    }

    /// A reading call of merchants' servers.
    pub(crate) const fn get(id: &'static str, path: &'static str, run: Run) -> Operation {
        Operation {
            id,
            verb: Verb::Get,
            path,
            bases: BASES,
            aliases: &[],
            area: Area::BackOffice,
            title: "",
            about: "",
            callers: Callers::Merchant,
            idempotency_key: Needed::No,
            object: Object::InPath,
            money: Money::None,
            encryption: Encryption::None,
            parameter: PathParameter::NONE,
            query: Vec::new,
            request: Request::None,
            body_limit: BODY_LIMIT,
            answer: Answer::Empty,
            refusals: &[],
            run,
        }
    }

    /// An acting call of merchants' servers.
    pub(crate) const fn post(
        id: &'static str,
        path: &'static str,
        request: Request,
        run: Run,
    ) -> Operation {
        Operation {
            verb: Verb::Post,
            area: Area::Payments,
            request,
            ..Operation::get(id, path, run)
        }
    }

    /// Whether the gateway makes an idempotency key for a call without one, and warns: existing servers
    /// send none. Frames are ours, and always send one.
    pub(crate) fn makes_key(&self) -> bool {
        self.idempotency_key == Needed::Yes && self.callers == Callers::Merchant
    }

    /// Whether a body is mandatory.
    pub(crate) fn needs_body(&self) -> bool {
        matches!(
            self.request,
            Request::Object(Needed::Yes, _) | Request::Array(_)
        )
    }

    /// Every verb and path of the operation; the first is the one in the documents.
    pub(crate) fn names(&self) -> impl Iterator<Item = Alias> {
        let itself = Alias {
            verb: self.verb,
            path: self.path,
            bases: self.bases,
        };
        std::iter::once(itself).chain(self.aliases.iter().copied())
    }
}

impl Verb {
    /// As in a request line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verb::Get => "GET",
            Verb::Post => "POST",
            Verb::Delete => "DELETE",
        }
    }
}

/// Directly below `/api`, and below `/api/v1` for clients whose base ends so (contract 1.1).
pub(crate) const BASES: &[&str] = &["", "/v1"];

/// Contract 1.10.
pub(crate) const BODY_LIMIT: usize = 256 * 1024;

/// For texts that buyers accept (contract 1.10).
pub(crate) const LONG_BODY_LIMIT: usize = 2 * 1024 * 1024;
