// @ts-check
// The class Build in version 2: once the card is known, the shop's server reads the data of it that it may know, adds a fee, and the
// buyer agrees to the sum. Then the server confirms the amount, and the device is checked in a hidden frame.

import { ask, say, tellOutcome } from "./server.js";

const section = /** @type {Element} */ (document.querySelector("section[data-order]"));
const sessionId = section.getAttribute("data-session");
const entry = /** @type {HTMLFormElement} */ (document.getElementById("entry"));
const agreement = /** @type {HTMLElement} */ (document.getElementById("agreement"));
const proceed = /** @type {HTMLButtonElement} */ (entry.querySelector(".pay"));
const agree = /** @type {HTMLButtonElement} */ (document.getElementById("agree"));
const giveUp = /** @type {HTMLButtonElement} */ (section.querySelector(".give-up"));

const OVER = "The time for this payment is over. Load the page again to start anew.";

const theme = document.documentElement.getAttribute("data-theme");
const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
let totalMinor = "";

const build = new Build({
  cssLink: new URL(dark ? "/card-dark.css" : "/card-light.css", location.href).href,
  onAllFieldsLoaded: () => section.setAttribute("data-loaded", ""),
  onBuildSuccess: ({ id }) => note(id, "", ""),
  onBuildError({ id, errorCode, errorMessage }) {
    if (errorCode === "HF0003") return end(OVER, errorCode);
    note(id, errorCode, errorMessage);
  },
  onConfirmError({ errorCode, errorMessage, validationStatus }) {
    busy(proceed, false);
    if (errorCode === "HF0003") return end(OVER, errorCode);
    say(section, "open", `${errorMessage} (${errorCode})`);
    const wrong = validationStatus?.find(({ valid }) => !valid);
    if (wrong) document.getElementById(wrong.id)?.querySelector("iframe")?.focus();
  },
  onComponentUnavailable: ({ errorCode, errorMessage }) => say(section, "failed", `${errorMessage} (${errorCode})`),
  async onBuildFlowStateChange(_, state) {
    if (state === "READY_FOR_PAYMENT") await quote();
  },
});

/** The sum that the buyer would pay, calculated by the shop's server. */
async function quote() {
  const quoted = await ask("/quote", { sessionId });
  if (!quoted) return end("The shop could not count the sum. Nothing was charged; please load the page again.");
  totalMinor = quoted.totalMinor;
  write("reason", `Card fee (${quoted.reason})`);
  write("fee", quoted.fee);
  write("total", quoted.total);
  write("used", quoted.card);
  write("agree", `Pay ${quoted.total}`);
  entry.hidden = true;
  agreement.hidden = false;
  agree.focus();
}

/** The buyer agreed: the server confirms the sum, and the device is checked. */
async function confirm() {
  busy(agree, true);
  const answer = await ask("/confirm", { sessionId, totalMinor });
  if (!answer) return end("The shop could not confirm the payment. Look at the order before you pay again.");
  if (answer.deviceCheck) return checkDevice(answer.deviceCheck);
  if (answer.url) return location.assign(answer.url);
  await complete();
}

/** With another object, because the inputs are not needed any more. @param {string} src */
function checkDevice(src) {
  new Build({
    async onBuildFlowStateChange(event, state) {
      if (state === "REDIRECTED_TO_EXTERNAL_DOMAIN" && event.url) location.assign(event.url);
      if (state === "PAYMENT_COMPLETE") await complete();
    },
    onBuildError: ({ id, errorCode, errorMessage }) => note(id, errorCode, errorMessage),
  });
  const frame = document.createElement("iframe");
  frame.title = "Checking this device";
  frame.hidden = true;
  frame.src = src;
  section.append(frame);
}

/** @param {string} id @param {string} text */
function write(id, text) {
  const place = document.getElementById(id);
  if (place) place.textContent = text;
}

/** @param {string} id @param {string} code @param {string} message */
function note(id, code, message) {
  const place = document.getElementById(id)?.nextElementSibling;
  // An error without a field ends the payment; the server has its outcome.
  if (!place) return section.setAttribute("data-code", code);
  place.textContent = message;
  place.setAttribute("data-code", code);
}

/** @param {HTMLButtonElement} button @param {boolean} working */
function busy(button, working) {
  button.disabled = working;
  button.setAttribute("aria-busy", String(working));
}

async function complete() {
  end("");
  await tellOutcome(section);
  // The sum that was paid stays visible, without the button.
  if (section.getAttribute("data-status") !== "paid") return;
  agree.hidden = true;
  agreement.hidden = false;
}

/** Ends the payment on this page. @param {string} message @param {string} [code] */
function end(message, code) {
  for (const part of [entry, agreement, giveUp]) part.hidden = true;
  if (message) say(section, "failed", code ? `${message} (${code})` : message);
}

entry.addEventListener("submit", (event) => {
  event.preventDefault();
  say(section, "open", "");
  build.confirmData(() => busy(proceed, true));
});
agree.addEventListener("click", confirm);
// A frame can not be the target of a <label>, so a click on the text beside it moves the focus.
for (const words of section.querySelectorAll(".label")) {
  words.addEventListener("click", () => words.nextElementSibling?.querySelector("iframe")?.focus());
}
giveUp.addEventListener("click", async () => {
  const answer = await ask("/cancel", { sessionId });
  if (answer) await complete();
  else end("This payment is over already, or the shop can not be reached. Look at the order.");
});
