//! The gateway's API, called through the router, without a network.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod acquirers;
mod actions;
mod books;
mod build_calls;
mod build_request;
mod card_entry;
mod card_testing;
mod catalogue;
mod choices;
mod conformity;
mod contracts;
#[path = "../../../crates/emv-3ds/tests/counterpart/mod.rs"]
mod counterpart;
#[path = "../support/database.rs"]
mod database;
mod developer;
mod direct;
#[path = "../support/dist.rs"]
mod dist;
mod documented_examples;
mod emv_3ds;
mod encryption;
mod events;
mod existing_clients;
mod existing_orders;
mod fields;
mod fonts;
mod form_documents;
mod frame_calls;
mod fulfilment;
mod fuzz;
mod harness;
mod headers;
mod hosted;
mod idempotency;
mod issuer;
mod journeys;
mod keys;
mod links;
mod lists;
mod log;
mod methods;
mod model_traces;
mod modes;
mod office;
mod order_status;
mod order_terms;
mod order_version;
mod origins;
mod outcomes;
mod payment;
mod pipeline;
mod plain_form;
mod points_of_sale;
mod precedence;
mod refusals_per_card;
mod reservation_charges;
mod reservations;
mod saved_cards;
mod session_id_alone;
mod session_sum;
mod shops;
mod simulated_pages;
mod storage;
mod strange;
mod style;
mod tables;
mod three_steps;
mod time;
mod unread;
mod vault;
mod version_two;
mod wallets;
