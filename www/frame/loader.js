// @ts-check
// The frame loader. It agrees with the shop's page on a private port, starts the widget, and tells both the buyer and
// the shop when that fails. Until the widget lives, the fields of the page are plain inputs: what is typed stays in them.
// Nothing here reads a field.

import { price } from './money.js';

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const island = (id) => JSON.parse(byId(id).textContent ?? "");

const boot = island("boot");
// Fields that few terminals ask for.
for (const id of boot.fields) byId(`with-${id}`)?.removeAttribute("hidden");
// Name and e-mail that the merchant knows already.
for (const id in boot.defaults) /** @type {HTMLInputElement} */ (byId(id) ?? {}).value ||= boot.defaults[id];
const form = byId("card");
let pressed = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  pressed = true;
});

// Looks of the page's own are worth a moment: without it the form would be seen in other ones first.
// So are kept cards, which take the place of the inputs.
if (boot.saved || location.search.includes("dressed=1")) document.documentElement.className = "undressed";
// Otherwise the fields come first: a buyer can type into them while all that follows is on its way. Hidden frames are never painted.
else await new Promise((/** @type {(value?: any) => void} */ resume) => {
  requestAnimationFrame(() => globalThis.scheduler?.postTask(resume, { priority: "background" }) ?? setTimeout(resume));
  setTimeout(resume, 100);
});

globalThis.payframeFind ??= byId;
/** @type {Record<string, string>} */
const texts = island("texts");
const nonce = crypto.randomUUID().replaceAll("-", "");

/** Puts on the looks that the page chose, by a script that is loaded for them alone. @param {any} appearance */
async function wear(appearance) {
  if (!appearance) return;
  // If it does not come, the standard looks do as well.
  const { dress } = await import("{{later:appearance}}");
  dress(window, appearance);
  window.payframe?.driver?.wear((frame) => dress(frame, appearance));
}

/** @type {MessagePort | undefined} */
let port;
let live = false;
/** @type {(widget: any) => void} */
let resolveLiving;
/** @type {Promise<any>} */
const living = new Promise((resolve) => (resolveLiving = resolve));
/** @type {object | undefined} */
let failure;

/** @param {string | undefined} text */
function show(text = "") {
  const message = byId("message");
  message.textContent = text;
  message.hidden = false;
}

/**
 * Ends the form with a sentence for the buyer and a code for the shop.
 * @param {string} code
 */
function fail(code) {
  if (failure) return;
  failure = { type: "fatal", code, message: code };
  /** @type {HTMLButtonElement} */ (byId("pay")).disabled = true;
  // A form that broke after it went live may have sent a payment: it must not invite to pay again.
  show(live ? texts.unknown_text?.replace("{merchant}", boot.merchant) : texts.start_failed);
  form.hidden = false;
  port?.postMessage(failure);
}

/** @param {unknown} cause */
function crashed(cause) {
  if (live && cause instanceof WebAssembly.RuntimeError) fail("frame_crashed");
}

addEventListener("error", (event) => crashed(event.error));
addEventListener("unhandledrejection", (event) => crashed(event.reason));

/** @param {string} code @param {string} message */
const complain = (code, message) => port?.postMessage({ type: "error", code, message });
/** What the words are of: a language, and texts of the merchant. @type {Record<string, string> | undefined} */
let worded;
/** Until they are there. @type {Promise<void> | undefined} */
let wording;
/**
 * Puts the words into the form that the page asks for, unless they are there already.
 * @param {Record<string, string>} [options]
 */
function word({ locale = "", texts: own = "" } = {}) {
  const before = (worded ??= { locale, own: "" });
  if (before.locale === locale && before.own === own) return wording;
  worded = { locale, own };
  const { driver } = window.payframe ?? {};
  const work = (wording ?? Promise.resolve()).catch(() => {}).then(async () => {
    try {
      const { reword } = await import("{{later:reword}}");
      const apart = driver?.shown.map((id) => driver.frameOf(id)?.document) ?? [];
      const documents = [document, ...apart].filter((each) => each !== undefined);
      await reword(texts, documents, before.locale === locale ? undefined : locale, own, complain);
      // Another language writes the sum in another way; a number format is slow to make.
      price(boot, texts, boot.offer ?? boot, before.locale === locale ? boot.amountText : undefined);
      // What is drawn already changes its words too.
      if (choices) choices.take("words", { ...texts, ...(await import(texts.$choices ?? "")).default });
    } catch (cause) {
      worded = before;
      throw cause;
    } finally {
      if (wording === work) wording = undefined;
    }
  });
  return (wording = work);
}

/** @type {Promise<Record<string, any>>} */
const agreed = new Promise((resolve) => {
  /** @param {MessageEvent} event */
  function onMessage({ data, origin, source, ports }) {
    if (origin !== boot.merchantOrigin || source !== parent) return;
    if (data?.payframe !== 1 || data.type !== "init" || data.nonce !== nonce || !ports[0]) return;
    removeEventListener("message", onMessage);
    clearTimeout(silence);
    port = ports[0];
    new ResizeObserver(() => port?.postMessage({ type: "resize", height: Math.ceil(byId("main").getBoundingClientRect().height) })).observe(byId("main"));
    // A form that could not start says so in the page's looks, and with room for it.
    wear(data.options?.appearance);
    if (data.version !== 1) fail("protocol_version");
    if (failure) return port.postMessage(failure);
    port.addEventListener("message", (event) => {
      const { type, id, options } = event.data ?? {};
      wear(options?.appearance);
      const words = type === "update" && word(Object(options));
      if (!words) return;
      // The widget hears of it once the words are there.
      event.stopImmediatePropagation();
      const refusal = { code: "locale_failed", message: "the texts of that language did not load" };
      words.then(
        () => port?.dispatchEvent(new MessageEvent("message", { data: event.data })),
        () => port?.postMessage({ type: "reply", id, error: refusal }) ?? complain(refusal.code, refusal.message),
      );
    });
    const words = word(Object(data.options));
    const options = data.options ?? {};
    if (words) words.then(() => resolve(options), () => resolve(options));
    else resolve(options);
  }
  addEventListener("message", onMessage);
});
/** Browsers may remember of an address that it gave nothing: then another one of the same script does. */
let again = "";
/** As long as a request may take. */
const LATE_MS = 35_000;
/**
 * Loads what no form needs to go live, and every form a moment later: its attendant, and what encrypts the card.
 * @returns {Promise<typeof import('./attendant.js')>}
 */
const late = () => Promise.race([import("{{later:attendant}}" + again), new Promise((_, refuse) => setTimeout(refuse, LATE_MS))]).catch((cause) => {
  again += "?";
  complain("encryption_unavailable", String(cause));
  throw cause;
});
/** @type {import('./choices.js').Choices | undefined} */
let choices;
/** The offer that the script is loaded for; a later word counts. @type {unknown} */
let offered;
/** Loads what draws choices, once the form is live. Without it the card pays at once, in the shop's currency. */
const choose = async () => {
  const [{ Choices }, words, widget] = await Promise.all([import("{{later:choices}}"), import(texts.$choices ?? ""), living]);
  const drawn = (choices ??= new Choices(boot, { ...texts, ...words.default }, widget));
  if (offered) drawn.take("offer", offered);
};
globalThis.payframeChoices = (subject, told) => {
  if (subject === "amount") {
    // The server fixed another amount: an offer was for the former one.
    Object.assign(boot, { amount: told, offer: undefined });
    choices?.take("offer", undefined);
    return price(boot, texts, boot);
  }
  if (subject === "answers") {
    choices?.take(subject, told);
    // What does not come encrypts nothing, and nothing is sent. Who presses again has it tried again.
    return late().then(({ seal }) => seal(/** @type {any} */ (told), /** @type {any} */ (boot)));
  }
  if (choices) return choices.take(subject, told);
  if (subject === "offer" && (offered = told)) choose().catch(() => {});
};
const silence = setTimeout(() => show(texts.page_silent), 10_000);

if (parent === window) {
  clearTimeout(silence);
  fail("frame_blocked");
  show(texts.not_in_shop);
} else {
  parent.postMessage({ payframe: 1, type: "hello", nonce, versions: [1] }, boot.merchantOrigin);
  // Both are on their way already, unless the gateway is near.
  const loading = Promise.all([import("{{glue}}"), fetch("{{wasm}}")]).then(async ([widget, module_or_path]) => {
    await widget.default({ module_or_path });
    return widget;
  });
  Promise.all([loading, agreed])
    // A task of its own, so that a key pressed meanwhile is answered first.
    .then((parts) => new Promise((resume) => setTimeout(resume, 0, parts)))
    .then(([widget, options]) => {
      // What the widget says is kept until there is time, or need, to load who hears it.
      /** @type {[any, number][]} */
      const said = [];
      let patience = 2000;
      /** Another session is about to take over: its sum; an offer was for the former one. @param {typeof boot} next */
      const anew = (next) => {
        boot.offer = undefined;
        choices?.take("offer", undefined);
        price(next, texts, next);
      };
      const attend = () => late().then(({ hear }) => {
        patience = 0;
        for (const word of said.splice(0)) hear({ boot, texts, port: /** @type {MessagePort} */ (port), price: anew }, ...word);
      }, () => {});
      globalThis.payframeTell = (...word) => {
        said.push(word);
        setTimeout(attend, /rest|active/.test(word[0]) ? patience : 0);
      };
      // Where the fields have frames of their own, their driver listens in.
      const driver = window.payframe?.driver;
      widget.start(driver && port ? driver.tap(port) : port, boot, texts, options, pressed);
      driver?.live(widget);
      live = true;
      resolveLiving(widget);
      if (boot.methods ?? boot.installments ?? boot.saved ?? boot.consent) choose().catch(() => {});
      // Where the page has a button of its own, ours is not there to be covered.
      if (document.documentElement.dataset.button !== "hidden") import("{{later:guard}}").then(({ guard }) => guard(byId("pay"), (why) => (show(texts.button_covered), complain("button_covered", why))), () => {});
    })
    .catch((cause) => {
      const blocked = typeof WebAssembly === "undefined" || /Content Security Policy|unsafe-eval|disallowed/i.test(String(cause));
      fail(blocked ? "wasm_blocked" : "wasm_failed");
    });
}
