// @ts-check
// The hosted payment page: it asks the gateway for a session, puts the form into the page, and sends the buyer back when
// there is an outcome. Only the gateway knows the outcome: the page goes to an address of the gateway,
// which redirects it.
//
// It runs in the same origin as the form's frame and never reaches into it.

/** @import { PaymentFormElement } from '../sdk/payframe.js' */

const { here = "", gateway = "", language = "" } = document.querySelector("main")?.dataset ?? {};
const place = document.getElementById("form");
const status = document.getElementById("status");

/** @param {string} text */
function say(text) {
  if (status) status.textContent = text;
}

/** After this time the gateway is asked again for a session in place of one that has expired. */
const AGAIN_MS = 3_000;

/** The session in which the page can be paid now; `undefined` if it can not be paid. Throws if nobody knows at the moment. */
async function session() {
  const answer = await fetch(`${here}/session`, { method: "POST" });
  if (answer.status === 429) throw new Error("too many questions at once");
  if (answer.status >= 500) throw new Error("the gateway has a fault");
  /** @type {{ session: string } | undefined} */
  const told = answer.ok ? await answer.json() : undefined;
  return told?.session;
}

/** Loads the page again. Only once: if that does not help, a sentence is shown. */
function lookAgain() {
  const [entry] = performance.getEntriesByType("navigation");
  if (/** @type {PerformanceNavigationTiming | undefined} */ (entry)?.type !== "reload") return location.reload();
  place?.classList.add("gone");
  say(place?.dataset.failed ?? "");
}

/** @param {HTMLElement} place */
async function open(place) {
  const first = await session().catch(() => undefined);
  if (!first) return lookAgain();
  const form = /** @type {PaymentFormElement} */ (document.createElement("payment-form"));
  const attributes = { gateway, session: first, locale: language, label: place.dataset.label ?? "" };
  for (const [name, value] of Object.entries(attributes)) form.setAttribute(name, value);

  let over = false;
  /** Whether the session has expired. The form reports that as a failed payment, but here another session can follow. */
  let expired = false;
  let again = 0;
  /** Keeps the session alive while the page is visible, and gets another one if it has died. */
  async function renew() {
    if (over) return;
    const present = await session().catch(() => form.getAttribute("session") ?? "");
    if (over) return;
    if (present === form.getAttribute("session")) {
      clearTimeout(again);
      if (expired) again = setTimeout(renew, AGAIN_MS);
      return;
    }
    if (!present) return location.reload();
    expired = false;
    form.setAttribute("session", present);
    say(place.dataset.renewed ?? "");
  }
  form.addEventListener("change", ({ detail }) => detail.empty || say(""));
  form.addEventListener("statechange", ({ detail }) => {
    expired = detail.state === "EXPIRED";
    if (expired) renew();
  });
  setInterval(() => document.hidden || renew(), 60_000);
  document.addEventListener("visibilitychange", () => document.hidden || renew());

  form.addEventListener("result", ({ detail }) => {
    if (!detail.final || over || expired) return;
    over = true;
    const { leaving } = place.dataset;
    const refused = detail.outcome === "declined" || detail.outcome === "failed";
    if (leaving && !refused) {
      const link = Object.assign(document.createElement("a"), { href: `${here}/return`, textContent: leaving });
      status?.replaceChildren(link);
    }
    // Time to read what the form says.
    setTimeout(() => location.replace(`${here}/return`), refused ? 4_000 : 2_000);
  });
  place.append(form);
}

if (place) open(place);

// A page from the back-forward cache may show a payment that is over.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

export {};
