// @ts-check
/**
 * Payframe's class `Build`, for pages that put the `fields[].src` of `POST /orders/build` into iframes of their own.
 *
 * A classic script without exports: it hears what those frames say, calls the page back, and passes the page's orders on. The
 * frames share among themselves what the buyer types; nothing of it comes by here. Types and documentation for merchants are in
 * `build.d.ts` and `docs/build.md`.
 */

(() => {
  const { document } = globalThis;
  const script = /** @type {HTMLScriptElement | null | undefined} */ (document?.currentScript);
  // On a server there is nothing to do, and the second time it is done.
  if (!script || 'Build' in globalThis) return;
  /** All that is heard comes from there, and all that is said goes there. */
  const { origin } = new URL(script.src);

  /** A frame that loads has this long to speak. */
  const SILENCE_MS = 10000;
  const INPUT = /^(CARD_NUMBER|EXPIRATION_DATE|SECURITY_CODE|CARDHOLDER_\w+|PRIVACY_CONDITIONS)$/;
  /** By what a frame says, which callback hears it. @type {Map<string, keyof Options>} */
  const CALLBACKS = new Map([
    ['BUILD_SUCCESS', 'onBuildSuccess'],
    ['BUILD_ERROR', 'onBuildError'],
    ['CONFIRM_ERROR', 'onConfirmError'],
    ['BUILD_FLOW_STATE_CHANGE', 'onBuildFlowStateChange'],
    ['unavailable', 'onComponentUnavailable'],
  ]);
  /** @typedef {Build.Options} Options */
  /** @typedef {Build.ConfirmErrorEvent} ConfirmErrorEvent */

  /** Frames that have spoken; those with a session take orders. `key` is the session in their address. @type {Map<Window | null, { id: string, key: string, session?: string }>} */
  const frames = new Map();
  /** An object of the class, with the session whose fields were all live when it heard of it last. @typedef {{ options: Options, loaded: string }} Page */
  /** The newest object. @type {Page | undefined} */
  let newest;
  /** The object that hears of a session, by the session in its frames' addresses. @type {Map<string, Page>} */
  const listeners = new Map();
  /** The style of frames: what was asked for last. */
  const appearance = {};
  /** How long frames may stay silent. @type {WeakMap<HTMLIFrameElement, ReturnType<typeof setTimeout>>} */
  const timers = new WeakMap();
  /** Sessions with the fields of theirs that are live: one frame tells it for all. */
  const ready = new Set();
  /** Buttons to press once they are there. */
  const presses = new Set();
  /** The frames that were told of the confirm that runs. @type {Window[]} */
  let confirming = [];
  /** @type {(() => void) | undefined} */
  let onLoading;

  /** What a callback throws is told as an error of the page. @param {() => void} callback */
  const guard = (callback) => {
    try {
      callback();
    } catch (error) {
      reportError(error);
    }
  };
  /** A session that nobody hears of yet is the newest object's. @param {string} key */
  const listenerOf = (key) => {
    const page = listeners.get(key) ?? newest;
    if (page) listeners.set(key, page);
    return page;
  };
  /** @param {string} key @param {keyof Options} name @param {any[]} given */
  const callBack = (key, name, ...given) => {
    const page = listenerOf(key);
    guard(() => /** @type {any} */ (page?.options)?.[name]?.(...given));
  };
  /** @param {Window} frame @param {object} message */
  const post = (frame, message) => frame.postMessage({ payframe: 1, ...message }, origin);

  /** @param {(id: string) => boolean} fits */
  const framesUp = (fits) => [...frames].flatMap(([frame, { id, session }]) => (frame && session && !frame.closed && fits(id) ? frame : []));
  /** All iframes, those in open shadow trees too. @param {ParentNode} root @returns {HTMLIFrameElement[]} */
  const iframesIn = (root) => Array.from(root.querySelectorAll('*')).flatMap((element) => (element instanceof HTMLIFrameElement ? element : element.shadowRoot ? iframesIn(element.shadowRoot) : []));
  /** The field that an iframe shows, if it is one of ours. Those of a `<payment-field>` have a driver that speaks for them. @param {HTMLIFrameElement} iframe */
  const fieldOf = ({ src, contentWindow }) => {
    const query = new URL(src.startsWith(`${origin}/`) ? src : origin).searchParams;
    return frames.get(contentWindow)?.id || (!query.has('driver') && query.get('id')) || '';
  };

  /** The session in the address of an iframe; none for one in a closed shadow tree. @param {HTMLIFrameElement | undefined} iframe */
  const keyOf = (iframe) => (iframe && new URL(iframe.src || origin, origin).searchParams.get('sessionid')) || '';

  /** @param {EventTarget | null} iframe that has loaded */
  const awaitSign = (iframe) => {
    if (!(iframe instanceof HTMLIFrameElement) || !fieldOf(iframe)) return;
    const tellUnlessHeard = () => {
      if (!iframe.isConnected || frames.has(iframe.contentWindow)) return;
      callBack(keyOf(iframe), 'onComponentUnavailable', { id: fieldOf(iframe), errorCode: 'HF9002', errorMessage: 'The frame does not answer.' });
    };
    clearTimeout(timers.get(iframe));
    timers.set(iframe, setTimeout(tellUnlessHeard, SILENCE_MS));
  };

  const checkLoaded = () => {
    const inputs = new Set(iframesIn(document).flatMap((iframe) => (INPUT.test(fieldOf(iframe)) ? iframe.contentWindow : [])));
    // Those in closed shadow trees are known by what they say.
    for (const [frame, { id }] of frames) if (INPUT.test(id) && !frame?.closed) inputs.add(frame);
    const known = [...inputs].map((frame) => frames.get(frame));
    const [first] = known;
    if (!first?.session || known.some((frame) => !ready.has(`${frame?.session} ${frame?.id}`))) return;
    const page = listenerOf(first.key);
    if (!page || page.loaded === first.session) return;
    page.loaded = first.session;
    callBack(first.key, 'onAllFieldsLoaded');
  };

  /** @param {any} data @param {Window} source */
  const onMessage = (data, source) => {
    const word = data.payframe === 1 ? data.type : data.event;
    const callback = CALLBACKS.get(word);
    if (!callback && !['field-up', 'READY', 'build-loading'].includes(word)) return;
    const frame = frames.get(source) ?? { id: `${data.id}`, key: keyOf(iframesIn(document).find(({ contentWindow }) => contentWindow === source)) };
    frames.set(source, frame);

    if (word === 'field-up') {
      frame.id = `${data.id}`;
      frame.session = `${data.session}`;
      if (newest) post(source, { type: 'build-options', ...appearance });
      if (presses.delete(frame.id)) post(source, { type: 'build-click', id: frame.id });
    }
    if (word === 'READY') {
      ready.add(`${frame.session} ${data.id}`);
      checkLoaded();
    }
    if (word === 'build-loading' && onLoading) {
      guard(onLoading);
      onLoading = undefined;
    }
    if (!callback) return;

    const { id, errorCode, errorMessage, state } = data;
    // What ends a confirm, or tells that it will not end by itself.
    if (!/_(SUCCESS|ERROR)$/.test(word) || word === 'CONFIRM_ERROR' || /^HF000[239]$/.test(errorCode)) {
      confirming = [];
      onLoading = undefined;
    }
    if (state === 'CARD_DATA_COLLECTION') {
      // The next set of fields begins.
      ready.clear();
      for (const page of listeners.values()) page.loaded = '';
    }
    if (word === 'unavailable') callBack(frame.key, callback, { id, errorCode, errorMessage });
    // A field can only become valid where cards are entered.
    else callBack(frame.key, callback, data, state ?? 'CARD_DATA_COLLECTION');
  };

  window.Build = class Build {
    #page;

    /** @param {Options} [options] */
    constructor(options) {
      this.#page = { options: options ?? {}, loaded: '' };
      newest = this.#page;
      // A page that rebuilds makes an object for what stands there already; one with another session makes it for that.
      const keys = iframesIn(document).flatMap((iframe) => (fieldOf(iframe) ? keyOf(iframe) : []));
      const unheard = keys.filter((key) => !listeners.has(key));
      for (const key of unheard.length ? unheard : listeners.keys()) listeners.set(key, newest);
      const { cssLink, defaultComponentCssClassName: component, defaultContainerCssClassName: container } = this.#page.options;
      Object.assign(appearance, cssLink && { cssLink: `${cssLink}` }, component && { component }, container && { container });
      for (const iframe of iframesIn(document)) {
        // An iframe whose page is still on its way will speak by itself.
        if (!fieldOf(iframe) || iframe.contentDocument?.URL === 'about:blank') continue;
        post(/** @type {Window} */ (iframe.contentWindow), { type: 'build-here' });
        awaitSign(iframe);
      }
      setTimeout(checkLoaded);
    }

    /** @param {() => void} [callback] */
    confirmData(callback) {
      if (confirming.some((frame) => !frame.closed)) return;
      const mine = framesUp(() => true).filter((frame) => listeners.get(frames.get(frame)?.key ?? '') === this.#page);
      // An object that hears nothing any longer still takes orders.
      const all = mine.length ? mine : framesUp(() => true);
      if (all.some((frame) => INPUT.test(frames.get(frame)?.id ?? ''))) {
        confirming = all;
        onLoading = callback;
        const call = crypto.randomUUID();
        for (const frame of confirming) post(frame, { type: 'build-confirm', call });
      } else {
        /** @type {ConfirmErrorEvent} */
        const error = { event: 'CONFIRM_ERROR', id: 'confirmData', errorCode: 'HF9004', errorMessage: 'Nothing to confirm.', validationStatus: [] };
        setTimeout(() => guard(() => this.#page.options.onConfirmError?.(error)));
      }
    }

    /** @param {string} id */
    clickAction(id) {
      const buttons = framesUp((known) => known === id);
      for (const frame of buttons) post(frame, { type: 'build-click', id });
      if (!buttons.length && iframesIn(document).some((iframe) => fieldOf(iframe) === id)) presses.add(id);
    }
  };

  addEventListener('message', ({ data, origin: from, source }) => {
    const frame = /** @type {Window | null} */ (source);
    if (from === origin && frame?.parent === window && data) onMessage(data, frame);
  });
  document.addEventListener('load', ({ target }) => awaitSign(target), true);
})();
