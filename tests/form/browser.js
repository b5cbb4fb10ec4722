/**
 * What the tests change in their page: its functions for the widget, and the answers of the gateway.
 *
 * One file, because the server of wasm-bindgen's test runner (tiny_http) can leave a request without an answer when the page opens more
 * than four connections, and the page asks for all files of an import at once.
 */

const ownFetch = globalThis.fetch;
let asked = [];
let afterPaint = [];

/** The widget finds its elements in this document, as in a form in one frame. */
export function find_here() {
  globalThis.payframeFind = (id) => document.getElementById(id);
  globalThis.payframeLoadTexts = async () => {};
  globalThis.payframeEncryptCard = (items) => items;
}

/** From now on no paint is reported. */
export function hold_pictures() {
  globalThis.payframeAfterPaint = (act) => afterPaint.push(act);
}

/** Paints are reported again. */
export function paint() {
  delete globalThis.payframeAfterPaint;
  for (const act of afterPaint.splice(0)) act();
}

/** From now on the gateway serves this page for the session that follows, and answers every other request without news. */
export function serve(page) {
  asked = [];
  const standing = JSON.stringify({ state: 'CARD_DATA_COLLECTION', secondsLeft: 900 });
  globalThis.fetch = async (request) => {
    const { pathname, search } = new URL(request.url);
    asked.push([pathname, request.headers.get('session')].join(' '));
    return new Response(search.includes('follows=') ? page : standing);
  };
}

/** Path and session of each request since then. */
export function requests() {
  return asked.join(', ');
}

/** From now on the gateway gives this answer to everything. */
export function answer_all(status, json, headers) {
  globalThis.fetch = async () => new Response(json, { status, headers });
}

/** From now on the gateway does not answer. */
export function answer_nothing() {
  globalThis.fetch = ownFetch;
}
