// @ts-check
// The frame loader. It agrees with the shop's page on a private port, starts the widget, and tells both the buyer and
// the shop when that fails. Until the widget lives, the fields of the page are plain inputs: what is typed stays in them.
// Nothing here reads a field.

import { NO_WASM, loadWasm } from './load-wasm.js';

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const island = (id) => JSON.parse(byId(id).textContent ?? "");

/** @type {import('./port.js').FormBoot} */
const boot = island("boot");
// Fields that few terminals ask for. What the buyer does not see is not there, so that no browser fills it in.
for (const place of document.querySelectorAll("[id^=with]")) {
  if (boot.fields.includes(place.id.slice(5))) place.removeAttribute("hidden");
  else place.remove();
}
// Of what is typed the last pays. A form whose fields stand in the merchant's page has none.
[...document.querySelectorAll("input[enterkeyhint]")].at(-1)?.setAttribute("enterkeyhint", "go");
// Name and e-mail that the merchant knows already.
for (const id in boot.defaults) /** @type {HTMLInputElement} */ (byId(id) ?? {}).value ||= /** @type {string} */ (boot.defaults[id]);
const form = byId("card");
/** By what the buyer pressed on Pay, if so. @type {'' | 'key' | 'pointer'} */
let pressed = "";
/** @type {'key' | 'pointer'} */
let by = "key";
// The button's own comes before each submission, and keys have no count.
form.addEventListener("click", ({ detail }) => (by = detail ? "pointer" : "key"));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  pressed = by;
});

// The page's appearance is worth a moment: without it the form would be seen in another one first.
// So are kept cards, which take the place of the inputs.
const concealed = boot.saved || location.search.includes("dressed=1");
if (concealed) document.documentElement.className = "concealed";
// Otherwise the fields come first: a buyer can type into them while all that follows is on its way. Hidden frames are never painted.
else await new Promise((/** @type {(value?: any) => void} */ resume) => {
  requestAnimationFrame(() => setTimeout(resume));
  setTimeout(resume, 100);
});
// Its files are on their way already.
const loading = loadWasm();
// Told below.
loading.catch(() => {});
// What the browser has to do comes first, as far as it comes to an end: a page that is always busy shall have its form as well.
if (!concealed) await new Promise((/** @type {(value?: any) => void} */ resume) => {
  globalThis.scheduler?.postTask(resume, { priority: "background" });
  setTimeout(resume, 100);
});

globalThis.payframeFind ??= byId;
/** Where the form does not start, these are all there is. @type {Record<string, string>} */
const texts = island("words");
const nonce = crypto.randomUUID().replaceAll("-", "");

/** The appearance that the page chose last. @type {any} */
let chosenAppearance;

/** Applies the appearance that the page chose, by a script that is loaded for them alone. @param {any} [appearance] */
async function applyAppearance(appearance = chosenAppearance) {
  if (!appearance) return;
  chosenAppearance = appearance;
  // If it does not come, the standard appearance does as well.
  const appearanceScript = await import("{{lazy:appearance}}");
  appearanceScript.applyAppearance(window, appearance);
  window.payframe?.driver?.applyAppearance((frame) => appearanceScript.applyAppearance(frame, appearance));
}

/** @param {string | undefined} text */
function show(text = "") {
  const message = byId("message");
  message.textContent = text;
  message.hidden = false;
}

/** @type {MessagePort | undefined} */
let port;
/** @type {object | undefined} */
let failure;

/**
 * Ends the form with a sentence for the buyer and a code for the shop.
 * @param {string} code
 * @param {string} [text]
 */
function fail(code, text = texts.start_failed) {
  if (failure) return;
  failure = { type: "fatal", code, message: code };
  /** @type {HTMLButtonElement} */ (byId("pay")).disabled = true;
  show(text);
  form.hidden = false;
  port?.postMessage(failure);
}

const hello = () => parent.postMessage({ payframe: 1, type: "hello", nonce, versions: [1] }, boot.merchantOrigin);

/** @type {Promise<[MessagePort, Record<string, any>]>} */
const agreed = new Promise((resolve) => {
  /** @param {MessageEvent} event */
  function onMessage({ data, origin, source, ports }) {
    if (origin !== boot.merchantOrigin || source !== parent) return;
    // A frame that came with the page's HTML is older than the page's script.
    if (data?.payframe === 1 && data.type === "greet") return hello();
    if (data?.payframe !== 1 || data.type !== "init" || data.nonce !== nonce || !ports[0]) return;
    removeEventListener("message", onMessage);
    clearTimeout(silence);
    port = ports[0];
    // A panel that is collapsed, or a picture of the whole page, may lay it out so narrow that its height means nothing.
    new ResizeObserver(() => innerWidth < 60 || port?.postMessage({ type: "resize", height: Math.ceil(byId("main").getBoundingClientRect().height) })).observe(byId("main"));
    // A form that could not start says so in the page's looks, and with room for it.
    applyAppearance(data.options?.appearance);
    if (data.version !== 1) fail("protocol_version");
    if (failure) port.postMessage(failure);
    else resolve([port, data.options ?? {}]);
  }
  addEventListener("message", onMessage);
});
const silence = setTimeout(() => show(texts.page_silent), 10_000);

if (parent === window) {
  clearTimeout(silence);
  fail("frame_blocked", texts.not_in_shop);
} else {
  hello();
  loading
    .then(([widget, wasm, rest, instead]) => {
      if (instead) agreed.then(([port]) => port.postMessage({ type: "error", code: "locale_failed", message: "the texts of the language did not load" }));
      return widget.bootstrap(widget, wasm, agreed, { boot, texts: Object.assign(texts, rest), pressed: () => pressed, show, fail, applyAppearance });
    })
    .catch(({ message }) => fail(message === NO_WASM ? NO_WASM : "wasm_failed"));
}
