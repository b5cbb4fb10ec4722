"""Renames in the form: crates/card-rules, money, checkout-flow, the widget, the model, load and shop. Run by 21-names-checkout.sh."""
from renames import *

if not any(p.endswith("src/shown.rs") and not p.startswith("gateway/") for p in files(".rs")):
    fail("src/shown.rs is not there: this has run already")
clean()
w = start()

item("card_number::CardNumberProblem", "CardNumberError")
item("holder::HolderNameProblem", "HolderNameError")
item("holder::EmailProblem", "EmailError")
item("security_code::SecurityCodeProblem", "SecurityCodeError")
item("expiry::ExpiryProblem", "ExpiryError")
item("currency_format::Manner", "LocaleFormat")
item("currency_format::written", "format_amount")
item("browser::MANNERS", "LOCALE_FORMATS")
item("flow::phase::Wish", "Intent")
item("flow::exchange::Reading", "SessionSnapshot")
item("payframe::shown::Stage", "Panel")
item("payframe::shown::Press", "PanelAction")
item("payframe::shown::Shown", "ViewModel")
item("fields::report::Told", "LastReported")
item("watch::Watch", "SessionMonitor")
item("nested::MAY", "CHALLENGE_SANDBOX")
item("calm::PATIENCE", "MAX_LOST_ANSWERS")
item("caller::PATIENCE", "ANSWER_TIMEOUT")
edit("load/src/caller.rs", "{PATIENCE:?}", "{ANSWER_TIMEOUT:?}")
w.load()
item("line::Line", "Connection")
item("payframe_shop::standing::Standing", "OrderStatus")

module("payframe::shown", "view_model")
module("payframe::watch", "session_monitor")
module("view::stage", "panel")
module("flow::tests::courses", "transitions")
module("flow::tests::promises", "guarantees")
module("world::deeds", "transitions")
module("world::chances", "actions")
module("world::calm", "drain")
module("payframe_load::line", "connection")
module("payframe_shop::standing", "order_status")

method("glimpse", "peek_state", "src/runtime.rs", under="src/")
method("glimpse", "peek_state", "crates/model/src/form.rs", under="crates/model/")
method("obey", "handle_command", "src/app.rs")

# The script that asks Chromium writes browser.rs.
path = "tests/sums/collect.mjs"
text = read(path)
if text.count("Manner") != 6 or text.count("MANNERS") != 1:
    fail(f"{path}: not as expected")
write(path, text.replace("MANNERS", "LOCALE_FORMATS").replace("Manner", "LocaleFormat").replace("function manner(", "function localeFormat(").replace("page.evaluate(manner,", "page.evaluate(localeFormat,"))

sort_behaviours()
