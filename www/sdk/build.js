// @ts-check
/**
 * Payframe's class `Build`, for pages that put the `fields[].src` of `POST /orders/build` into iframes of their own.
 *
 * A classic script without exports: it receives the messages of those frames, calls the page's callbacks, and passes on the page's commands. The
 * frames share among themselves what the buyer types; this script receives nothing of it. Types and documentation for merchants are in
 * `build.d.ts` and `docs/build.md`.
 */

(() => {
  const { document } = globalThis;
  const script = /** @type {HTMLScriptElement | null | undefined} */ (document?.currentScript);
  // Nothing to do on a server, or if the script is loaded a second time.
  if (!script || 'Build' in globalThis) return;
  /** The gateway's origin: messages are accepted from it only, and sent to it only. */
  const { origin } = new URL(script.src);

  /** The time that a loading frame has for its first message. */
  const SILENCE_MS = 10000;
  const INPUT = /^(CARD_NUMBER|EXPIRATION_DATE|SECURITY_CODE|CARDHOLDER_\w+|PRIVACY_CONDITIONS)$/;
  /** @typedef {import('./build-messages.js').BuildCommand} BuildCommand */
  /** @typedef {import('./build-messages.js').BuildEvent['event'] | import('./build-messages.js').FieldFrameMessage['type']} Word */
  /** The callback for each event of a frame. @type {Map<Word, keyof Options>} */
  const CALLBACKS = new Map([
    ['BUILD_SUCCESS', 'onBuildSuccess'],
    ['BUILD_ERROR', 'onBuildError'],
    ['CONFIRM_ERROR', 'onConfirmError'],
    ['BUILD_FLOW_STATE_CHANGE', 'onBuildFlowStateChange'],
    ['unavailable', 'onComponentUnavailable'],
  ]);
  /** @typedef {Build.Options} Options */
  /** @typedef {Build.ConfirmErrorEvent} ConfirmErrorEvent */

  /** Frames that have sent a message; those with a session take commands. `key` is the session in their address. A button is `pressed` once the page has got the card's fields from it. @type {Map<Window | null, { id: string, key: string, session?: string, pressed?: boolean }>} */
  const frames = new Map();
  /** An object of the class, and the session for which it was last told that all fields are live. @typedef {{ options: Options, loaded: string }} Page */
  /** The newest object. @type {Page | undefined} */
  let newest;
  /** The object that gets the events of a session, by the session in the frames' addresses. @type {Map<string, Page>} */
  const listeners = new Map();
  /** The style of frames: the last setting. @type {Omit<Extract<BuildCommand, { type: 'build-options' }>, 'payframe' | 'type'>} */
  const appearance = {};
  /** The timers for the first message of frames. @type {WeakMap<HTMLIFrameElement, ReturnType<typeof setTimeout>>} */
  const timers = new WeakMap();
  /** The fields that are live, with their sessions: one frame reports for all. */
  const ready = new Set();
  /** Buttons to press once their frames are ready. */
  const presses = new Set();
  /** The frames that got the command of the running confirm. @type {Window[]} */
  let confirming = [];
  /** @type {(() => void) | undefined} */
  let onLoading;

  /** An error in a callback becomes an error of the page. @param {() => void} callback */
  const guard = (callback) => {
    try {
      callback();
    } catch (error) {
      reportError(error);
    }
  };
  /** A session without an object belongs to the newest one. @param {string} key */
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
  /** @param {Window} frame @param {BuildCommand extends infer C ? (C extends BuildCommand ? Omit<C, 'payframe'> : never) : never} command */
  const post = (frame, command) => {
    /** @type {BuildCommand} */
    const marked = { payframe: 1, ...command };
    frame.postMessage(marked, origin);
  };

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
    // Frames in closed shadow trees are known by their messages.
    for (const [frame, { id }] of frames) if (INPUT.test(id) && !frame?.closed) inputs.add(frame);
    const known = [...inputs].map((frame) => frames.get(frame));
    const [first] = known;
    if (!first?.session || known.some((frame) => !ready.has(`${frame?.session} ${frame?.id}`))) return;
    const page = listenerOf(first.key);
    if (!page || page.loaded === first.session) return;
    page.loaded = first.session;
    callBack(first.key, 'onAllFieldsLoaded');
  };

  /** The sessions for which this page has reported what it is made of. */
  const watched = new Set();
  /** For a page that requires Trusted Types. @type {{ createScriptURL(address: string): string } | undefined} */
  let policy;

  /** Loads the watch over the page, if its hash is that of this release. @returns {Promise<typeof import('./page-watch.js')>} */
  const loadWatch = () => {
    const href = `${origin}{{watch}}`;
    const make = (/** @type {string} */ tag, /** @type {object} */ members) => Object.assign(document.createElement(tag), { integrity: '{{watch-hash}}', nonce: script.nonce, ...members });
    document.head.append(make('link', { rel: 'modulepreload', href }));
    return import(href).catch(async () => {
      // As in `payframe.js`: in WebKit an import does not use what was preloaded.
      policy ??= /** @type {any} */ (window).trustedTypes?.createPolicy('payframe-beside', { createScriptURL: String });
      const src = policy?.createScriptURL(href) ?? href;
      await new Promise((onload, onerror) => document.head.append(make('script', { type: 'module', crossOrigin: '', src, onload, onerror })));
      return import(href);
    });
  };

  /** The terminal's pages are watched: this one reports, once for each session. If the script does not load, it does not. @param {string} session */
  const watch = (session) => {
    if (watched.has(session)) return;
    watched.add(session);
    loadWatch().then(({ watchPage }) => watchPage({ gateway: origin, session }), () => {});
  };

  /** @param {any} data @param {Window} source */
  const onMessage = (data, source) => {
    /** @type {Word} */
    const word = data.payframe === 1 ? data.type : data.event;
    if (word === 'build-watch') return watch(`${data.session}`);
    const callback = CALLBACKS.get(word);
    if (!callback && word !== 'field-up' && word !== 'READY' && word !== 'build-loading') return;
    const frame = frames.get(source) ?? { id: `${data.id}`, key: keyOf(iframesIn(document).find(({ contentWindow }) => contentWindow === source)) };
    frames.set(source, frame);

    if (word === 'field-up') {
      frame.id = `${data.id}`;
      if (frame.session && frame.session !== `${data.session}`) frame.pressed = false;
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
    // These end a confirm, or say that it will not end by itself.
    if (!/_(SUCCESS|ERROR)$/.test(word) || word === 'CONFIRM_ERROR' || /^HF000[239]$/.test(errorCode)) {
      confirming = [];
      onLoading = undefined;
    }
    // A button that was pressed before there was an object says it again, and the first time may be on its way still.
    if (state === 'CARD_DATA_COLLECTION' && !INPUT.test(id)) {
      if (frame.pressed) return;
      frame.pressed = !!listenerOf(frame.key);
    }
    if (state === 'CARD_DATA_COLLECTION') {
      // The next set of fields begins.
      ready.clear();
      for (const page of listeners.values()) page.loaded = '';
    }
    if (word === 'unavailable') callBack(frame.key, callback, { id, errorCode, errorMessage });
    // A field can become valid only in this state.
    else callBack(frame.key, callback, data, state ?? 'CARD_DATA_COLLECTION');
  };

  window.Build = class Build {
    #page;

    /** @param {Options} [options] */
    constructor(options) {
      this.#page = { options: options ?? {}, loaded: '' };
      newest = this.#page;
      // The object is for the sessions whose iframes are in the page already.
      const keys = iframesIn(document).flatMap((iframe) => (fieldOf(iframe) ? keyOf(iframe) : []));
      const unheard = keys.filter((key) => !listeners.has(key));
      for (const key of unheard.length ? unheard : listeners.keys()) listeners.set(key, newest);
      const { cssLink, defaultComponentCssClassName: component, defaultContainerCssClassName: container } = this.#page.options;
      Object.assign(appearance, cssLink && { cssLink: `${cssLink}` }, component && { component }, container && { container });
      for (const iframe of iframesIn(document)) {
        // An iframe whose page is still loading will send its first message by itself.
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
      // An object that gets no events any more still takes commands.
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
