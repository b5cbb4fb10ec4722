// @ts-check
// The class Build in version 3: first the buttons of the methods, then the card's inputs, each in a frame of its own. The
// shop's server closes the payment; the page only asks it to.

import { ask, say, tellOutcome } from "./server.js";

const section = /** @type {Element} */ (document.querySelector("section[data-order]"));
const sessionId = section.getAttribute("data-session");
const methods = /** @type {HTMLElement} */ (section.querySelector(".methods"));
const entry = /** @type {HTMLFormElement} */ (document.getElementById("entry"));
const pay = /** @type {HTMLButtonElement} */ (entry.querySelector(".pay"));
const giveUp = /** @type {HTMLButtonElement} */ (section.querySelector(".give-up"));

const OVER = "The time for this payment is over. Load the page again to start anew.";

const theme = document.documentElement.getAttribute("data-theme");
const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);

const build = new Build({
  cssLink: new URL(dark ? "/card-dark.css" : "/card-light.css", location.href).href,
  onAllFieldsLoaded: () => section.setAttribute("data-loaded", ""),
  onBuildSuccess: ({ id }) => note(id, "", ""),
  onBuildError({ id, errorCode, errorMessage }) {
    if (errorCode === "HF0003") return end(OVER, errorCode);
    note(id, errorCode, errorMessage);
  },
  onConfirmError({ errorCode, errorMessage, validationStatus }) {
    busy(false);
    if (errorCode === "HF0003") return end(OVER, errorCode);
    say(section, "open", `${errorMessage} (${errorCode})`);
    const wrong = validationStatus?.find(({ valid }) => !valid);
    if (wrong) document.getElementById(wrong.id)?.querySelector("iframe")?.focus();
  },
  onComponentUnavailable: ({ errorCode, errorMessage }) => say(section, "failed", `${errorMessage} (${errorCode})`),
  async onBuildFlowStateChange(event, state) {
    if (state === "CARD_DATA_COLLECTION") showInputs(event.fieldSet?.fields ?? []);
    if (state === "READY_FOR_PAYMENT") await finalize();
    if (state === "REDIRECTED_TO_EXTERNAL_DOMAIN" && event.url) location.assign(event.url);
    if (state === "PAYMENT_COMPLETE") await complete();
  },
});

/** One frame for each input, in the element with the same id. @param {{ id: string, src: string }[]} fields */
function showInputs(fields) {
  methods.hidden = true;
  entry.hidden = false;
  for (const { id, src } of fields) {
    const slot = document.getElementById(id);
    if (!slot || slot.firstChild) continue;
    const frame = document.createElement("iframe");
    frame.title = slot.previousElementSibling?.textContent ?? "";
    frame.src = src;
    slot.append(frame);
  }
}

/** @param {string} id @param {string} code @param {string} message */
function note(id, code, message) {
  const place = document.getElementById(id)?.nextElementSibling;
  // An error without a field ends the payment; the server has its outcome.
  if (!place) return section.setAttribute("data-code", code);
  place.textContent = message;
  place.setAttribute("data-code", code);
}

/** @param {boolean} working */
function busy(working) {
  pay.disabled = working;
  pay.setAttribute("aria-busy", String(working));
}

/** The card is known and the device was checked. Here a shop fixes stock and amount before its server closes the payment. */
async function finalize() {
  const answer = await ask("/finalize", { sessionId });
  if (!answer) return say(section, "unclear", "The shop could not close the payment. Look at the order before you pay again.");
  if (answer.url) return location.assign(answer.url);
  await complete();
}

async function complete() {
  end("");
  await tellOutcome(section);
}

/** Ends the payment on this page. @param {string} message @param {string} [code] */
function end(message, code) {
  for (const part of [methods, entry, giveUp]) part.hidden = true;
  if (message) say(section, "failed", code ? `${message} (${code})` : message);
}

entry.addEventListener("submit", (event) => {
  event.preventDefault();
  say(section, "open", "");
  build.confirmData(() => busy(true));
});
// A frame can not be the target of a <label>, so a click on the text beside it moves the focus.
for (const words of section.querySelectorAll(".label")) {
  words.addEventListener("click", () => words.nextElementSibling?.querySelector("iframe")?.focus());
}
giveUp.addEventListener("click", async () => {
  const answer = await ask("/cancel", { sessionId });
  if (answer) await complete();
  else end("This payment is over already, or the shop can not be reached. Look at the order.");
});
