// @ts-check
// The frame loader. It does the handshake with the shop's page, starts the widget, and tells both the buyer and
// the shop if that fails. Until the widget is live, the fields of the page are plain inputs: what is typed stays in them.
// Nothing here reads a field.

import { NO_WASM, loadWasm } from './load-wasm.js';

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const island = (id) => JSON.parse(byId(id).textContent ?? "");

/** @type {import('./port.js').FormBoot} */
const boot = island("boot");
// Fields that few terminals ask for. A field that the session does not have is removed, so that no browser fills it in.
for (const place of document.querySelectorAll("[id^=with]")) {
  if (boot.fields.includes(place.id.slice(5))) place.removeAttribute("hidden");
  else place.remove();
}
// The last text input submits. A form with fields in frames of their own has no text input.
[...document.querySelectorAll("input[enterkeyhint]")].at(-1)?.setAttribute("enterkeyhint", "go");
// Name and e-mail that came with the order.
for (const id in boot.defaults) /** @type {HTMLInputElement} */ (byId(id) ?? {}).value ||= /** @type {string} */ (boot.defaults[id]);
const form = byId("card");
/** Whether the buyer has pressed Pay, and by what. @type {'' | 'key' | 'pointer'} */
let pressed = "";
/** @type {'key' | 'pointer'} */
let by = "key";
// The button's click comes before each submission. A click by key has a `detail` of 0.
form.addEventListener("click", ({ detail }) => (by = detail ? "pointer" : "key"));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  pressed = by;
});

// The form is concealed until the page's appearance is applied: otherwise it would be visible in another one first.
// The same with saved cards, which replace the inputs, and with a billing address, which comes between them and the button.
const concealed = boot.saved || boot.billing || location.search.includes("dressed=1");
if (concealed) document.documentElement.className = "concealed";
// Otherwise the fields are painted first: a buyer can type into them while everything else loads. A hidden frame is never painted, so there is a
// time limit.
else await new Promise((/** @type {(value?: any) => void} */ resume) => {
  requestAnimationFrame(() => setTimeout(resume));
  setTimeout(resume, 100);
});
// The page preloads its files.
const loading = loadWasm();
// Handled below.
loading.catch(() => {});
// Other work of the browser comes first, for a limited time: the form must start in a page that is always busy, too.
if (!concealed) await new Promise((/** @type {(value?: any) => void} */ resume) => {
  globalThis.scheduler?.postTask(resume, { priority: "background" });
  setTimeout(resume, 100);
});

globalThis.payframeFind ??= byId;
/** The texts of a form that can not start. @type {Record<string, string>} */
const texts = island("words");
const nonce = crypto.randomUUID().replaceAll("-", "");

/** The appearance that the page chose last. @type {any} */
let chosenAppearance;

/** Applies the appearance that the page chose, by a script that is loaded on demand. @param {any} [appearance] */
async function applyAppearance(appearance = chosenAppearance) {
  if (!appearance) return;
  chosenAppearance = appearance;
  // If the script does not load, the form keeps the standard appearance.
  const browserScript = await import("{{lazy:browser}}");
  browserScript.applyAppearance(window, appearance);
  window.payframe?.driver?.applyAppearance((frame) => browserScript.applyAppearance(frame, appearance));
}

/** @param {string | undefined} text */
function show(text = "") {
  const message = byId("message");
  message.textContent = text;
  message.hidden = false;
}

/** @type {MessagePort | undefined} */
let port;
/** @type {import('../sdk/messages.js').FrameMessage | undefined} */
let failure;

/**
 * Ends the form with a sentence for the buyer and a code for the shop.
 * @param {import('../sdk/messages.js').PayframeErrorCode} code
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
    // A frame that is part of the page's HTML may be loaded before the page's script.
    if (data?.payframe === 1 && data.type === "greet") return hello();
    if (data?.payframe !== 1 || data.type !== "init" || data.nonce !== nonce || !ports[0]) return;
    removeEventListener("message", onMessage);
    clearTimeout(silence);
    port = ports[0];
    // A collapsed panel, or a screenshot of the whole page, may make the frame so narrow that its height has no meaning.
    new ResizeObserver(() => innerWidth < 60 || port?.postMessage({ type: "resize", height: Math.ceil(byId("main").getBoundingClientRect().height) })).observe(byId("main"));
    // A form that could not start shows its message in the page's appearance, and with enough height.
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
