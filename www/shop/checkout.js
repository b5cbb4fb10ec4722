// @ts-check
// What a merchant's page does around <payment-form>: it listens to events, and asks its own server for the outcome.
// It never receives card data, and it never trusts the browser about money.

import { ask, say as sayIn, tellOutcome } from "./server.js";

for (const section of document.querySelectorAll("section[data-order]")) follow(section);

const delivery = document.querySelector("fieldset.delivery");
/** What the sums stand for. */
let delivered = "standard";
delivery?.addEventListener("change", async ({ target }) => {
  const { value } = /** @type {HTMLInputElement} */ (target);
  // One change at a time, so that the last one wins.
  delivery.toggleAttribute("disabled", true);
  if (await changeSum(value)) delivered = value;
  for (const input of delivery.querySelectorAll("input")) input.checked = input.value === delivered;
  delivery.toggleAttribute("disabled", false);
});

/**
 * The shop's server changes the sum of each payment on the page, and its form asks the gateway for the new one.
 * @param {string} delivery @returns {Promise<boolean>} whether it did
 */
async function changeSum(delivery) {
  for (const section of document.querySelectorAll("section[data-order]")) {
    const form = section.querySelector("payment-form");
    if (!form) continue;
    const sums = await ask("/delivery", { sessionId: form.getAttribute("session"), delivery });
    if (!sums) {
      sayIn(section, "open", "The delivery cannot be changed now.");
      return false;
    }
    for (const place of document.querySelectorAll("[data-sum]")) place.textContent = sums[place.getAttribute("data-sum") ?? ""];
    const own = section.querySelector("button.pay");
    if (own) own.textContent = `Pay ${sums.total}`;
    // A form that cannot ask now learns of the sum with the next press, and charges no other than it shows.
    await form.refresh().catch(() => {});
  }
  return true;
}

/** @param {Element} section one payment: the form, and the place where its outcome is shown */
function follow(section) {
  const form = section.querySelector("payment-form");
  const orderId = section.getAttribute("data-order") ?? "";
  if (!form) return;

  /** @param {string} status @param {string} message */
  const say = (status, message) => sayIn(section, status, message);

  form.addEventListener("ready", () => section.setAttribute("data-status", "open"));
  let over = false;
  form.addEventListener("error", ({ detail }) => over || say("failed", `The payment form reports a problem (${detail.code}).`));
  form.addEventListener("statechange", async ({ detail }) => {
    if (detail.state === "PROCESSING") say("open", "");
    if (detail.state === "EXPIRED") {
      over = true;
      say("failed", "The time for this payment is over. Load the page again to start anew.");
    }
    if (detail.state !== "READY_FOR_PAYMENT" || section.getAttribute("data-mode") !== "merchant") return;
    // Here a shop fixes what it must (stock, delivery, the final amount) before its server closes the payment.
    const answer = await ask("/finalize", { sessionId: form.getAttribute("session") });
    if (!answer) say("failed", `The shop could not close the payment. Look at order ${orderId} before you pay again.`);
  });
  form.addEventListener("result", async ({ detail }) => {
    if (!detail.final) return say("open", "Not paid yet. You can try again in the form.");
    // A session that has expired charged nothing, and the form says so.
    if (!over) await tellOutcome(section);
  });

  // Only if the form's own button is hidden. The form itself shows a refusal, beside its fields.
  section.querySelector("button.pay")?.addEventListener("click", () => {
    form.confirm().catch(() => {});
  });
  document.querySelector("script[data-payframe]")?.addEventListener("error", () => {
    say("failed", "The payment form could not be loaded. Nothing was charged; please load the page again.");
  });
}
