// @ts-check
// Separate fields in the shop's own layout: the labels, the pay button and the place of every error text belong to the shop.
// The script receives states and sentences, never a digit.

import { ask, say, tellOutcome } from "./server.js";

/** A component as shops build them: its field is in a shadow tree, and works there as elsewhere. */
class SecurityCode extends HTMLElement {
  connectedCallback() {
    const template = document.getElementById("security-code");
    if (this.shadowRoot || !(template instanceof HTMLTemplateElement)) return;
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    root.append(template.content.cloneNode(true));
    follow(root);
  }
}

/** Shows beside each field what is wrong with it. @param {ParentNode} root */
function follow(root) {
  for (const field of root.querySelectorAll("payment-field")) {
    const note = field.parentNode?.querySelector(".note");
    field.addEventListener("change", ({ detail }) => {
      if (!note) return;
      note.textContent = detail.message ?? "";
      note.setAttribute("data-code", detail.error ?? "");
    });
  }
}

const section = /** @type {Element} */ (document.querySelector("section[data-order]"));
const payment = /** @type {import("../sdk/payframe.js").PaymentFormElement} */ (section.querySelector("payment-form"));
const entry = /** @type {HTMLFormElement} */ (document.getElementById("entry"));
const inputs = /** @type {HTMLElement} */ (entry.querySelector(".inputs"));
const actions = /** @type {HTMLElement} */ (entry.querySelector(".actions"));
let over = false;

follow(inputs);
customElements.define("security-code", SecurityCode);

/** Hides the card's fields and the pay button while the bank's page is open, and after the end. @param {boolean} open */
function show(open) {
  inputs.hidden = !open;
  actions.hidden = !open;
}

entry.addEventListener("submit", (event) => {
  event.preventDefault();
  // Errors of the card are shown beside its fields, and the outcome comes as `result`.
  payment.confirm().catch(() => {});
});
payment.addEventListener("ready", () => section.setAttribute("data-status", "open"));
payment.addEventListener("error", ({ detail }) => over || say(section, "failed", `The payment form reports a problem (${detail.code}).`));
payment.addEventListener("statechange", async ({ detail }) => {
  if (detail.state === "PROCESSING") say(section, "open", "");
  if (detail.state === "EXPIRED") {
    over = true;
    say(section, "failed", "The time for this payment is over. Load the page again to start anew.");
  }
  if (["CHALLENGE", "PAYMENT_COMPLETE", "EXPIRED"].includes(detail.state)) show(false);
  if (detail.state === "CARD_DATA_COLLECTION") show(true);
  if (detail.state !== "READY_FOR_PAYMENT" || section.getAttribute("data-mode") !== "merchant") return;
  // Here a shop fixes what it must (stock, delivery, the final amount) before its server closes the payment.
  const answer = await ask("/finalize", { sessionId: payment.getAttribute("session") });
  if (!answer) say(section, "failed", "The shop could not close the payment. Look at the order before you pay again.");
});
payment.addEventListener("result", async ({ detail }) => {
  if (!detail.final) return say(section, "open", "Not paid yet. You can try again.");
  show(false);
  // A session that has expired charged nothing, and the form says so.
  if (!over) await tellOutcome(section);
});
for (const script of document.querySelectorAll("script[data-payframe]")) {
  script.addEventListener("error", () => say(section, "failed", "The payment form could not be loaded. Nothing was charged; please load the page again."));
}
