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

  /** Frames that have spoken; those with a session take orders. @type {Map<Window | null, { id: string, session?: string }>} */
  const frames = new Map();
  /** With the session whose fields were all live when the page heard of it last. @type {{ options: Options, loaded: string }[]} */
  const pages = [];
  /** How frames are to look: what was wished last. */
  const look = {};
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
  /** @param {keyof Options} name @param {any[]} given */
  const tell = (name, ...given) => {
    for (const { options } of pages) guard(() => /** @type {any} */ (options)[name]?.(...given));
  };
  /** @param {Window} frame @param {object} message */
  const order = (frame, message) => frame.postMessage({ payframe: 1, ...message }, origin);

  /** @param {(id: string) => boolean} fits */
  const framesUp = (fits) => [...frames].flatMap(([frame, { id, session }]) => (frame && session && !frame.closed && fits(id) ? frame : []));
  /** All iframes, those in open shadow trees too. @param {ParentNode} root @returns {HTMLIFrameElement[]} */
  const iframesIn = (root) => Array.from(root.querySelectorAll('*')).flatMap((element) => (element instanceof HTMLIFrameElement ? element : element.shadowRoot ? iframesIn(element.shadowRoot) : []));
  /** The field that an iframe shows, if it is one of ours. Those of a `<payment-field>` have a driver that speaks for them. @param {HTMLIFrameElement} iframe */
  const fieldOf = ({ src, contentWindow }) => {
    const query = new URL(src.startsWith(`${origin}/`) ? src : origin).searchParams;
    return frames.get(contentWindow)?.id || (!query.has('driver') && query.get('id')) || '';
  };

  /** @param {EventTarget | null} iframe that has loaded */
  const awaitSign = (iframe) => {
    if (!(iframe instanceof HTMLIFrameElement) || !fieldOf(iframe)) return;
    const tellUnlessHeard = () => {
      if (!iframe.isConnected || frames.has(iframe.contentWindow)) return;
      tell('onComponentUnavailable', { id: fieldOf(iframe), errorCode: 'HF9002', errorMessage: 'The frame does not answer.' });
    };
    clearTimeout(timers.get(iframe));
    timers.set(iframe, setTimeout(tellUnlessHeard, SILENCE_MS));
  };

  const checkLoaded = () => {
    const inputs = new Set(iframesIn(document).flatMap((iframe) => (INPUT.test(fieldOf(iframe)) ? iframe.contentWindow : [])));
    // Those in closed shadow trees are known by what they say.
    for (const [frame, { id }] of frames) if (INPUT.test(id) && !frame?.closed) inputs.add(frame);
    const known = [...inputs].map((frame) => frames.get(frame));
    const session = known[0]?.session;
    if (!session || known.some((frame) => !ready.has(`${frame?.session} ${frame?.id}`))) return;
    for (const page of pages) {
      if (page.loaded === session) continue;
      page.loaded = session;
      guard(() => page.options.onAllFieldsLoaded?.());
    }
  };

  /** @param {any} data @param {Window} source */
  const hear = (data, source) => {
    const word = data.payframe === 1 ? data.type : data.event;
    const callback = CALLBACKS.get(word);
    if (!callback && !['field-up', 'READY', 'build-loading'].includes(word)) return;
    const frame = frames.get(source) ?? { id: `${data.id}` };
    frames.set(source, frame);

    if (word === 'field-up') {
      frame.id = `${data.id}`;
      frame.session = `${data.session}`;
      if (pages.length) order(source, { type: 'build-options', ...look });
      if (presses.delete(frame.id)) order(source, { type: 'build-click', id: frame.id });
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
      for (const page of pages) page.loaded = '';
    }
    if (word === 'unavailable') tell(callback, { id, errorCode, errorMessage });
    // A field can only become valid where cards are entered.
    else tell(callback, data, state ?? 'CARD_DATA_COLLECTION');
  };

  window.Build = class Build {
    #page;

    /** @param {Options} [options] */
    constructor(options) {
      this.#page = { options: options ?? {}, loaded: '' };
      pages.push(this.#page);
      const { cssLink, defaultComponentCssClassName: component, defaultContainerCssClassName: container } = this.#page.options;
      Object.assign(look, cssLink && { cssLink: `${cssLink}` }, component && { component }, container && { container });
      for (const iframe of iframesIn(document)) {
        // An iframe whose page is still on its way will speak by itself.
        if (!fieldOf(iframe) || iframe.contentDocument?.URL === 'about:blank') continue;
        order(/** @type {Window} */ (iframe.contentWindow), { type: 'build-here' });
        awaitSign(iframe);
      }
      setTimeout(checkLoaded);
    }

    /** @param {() => void} [callback] */
    confirmData(callback) {
      if (confirming.some((frame) => !frame.closed)) return;
      if (framesUp((id) => INPUT.test(id)).length) {
        confirming = framesUp(() => true);
        onLoading = callback;
        const call = crypto.randomUUID();
        for (const frame of confirming) order(frame, { type: 'build-confirm', call });
      } else {
        /** @type {ConfirmErrorEvent} */
        const error = { event: 'CONFIRM_ERROR', id: 'confirmData', errorCode: 'HF9004', errorMessage: 'Nothing to confirm.', validationStatus: [] };
        setTimeout(() => guard(() => this.#page.options.onConfirmError?.(error)));
      }
    }

    /** @param {string} id */
    clickAction(id) {
      const buttons = framesUp((known) => known === id);
      for (const frame of buttons) order(frame, { type: 'build-click', id });
      if (!buttons.length && iframesIn(document).some((iframe) => fieldOf(iframe) === id)) presses.add(id);
    }
  };

  addEventListener('message', ({ data, origin: from, source }) => {
    const frame = /** @type {Window | null} */ (source);
    if (from === origin && frame?.parent === window && data) hear(data, frame);
  });
  document.addEventListener('load', ({ target }) => awaitSign(target), true);
})();
