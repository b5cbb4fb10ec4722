// @ts-check
// Runs in every document of a load, before anything else, and notes when things happen. The same for both forms.
//
// - typable: the card number's input is laid out, switched on and uncovered, and the browser has painted a picture with
//   it (the first task after an animation frame that found it so).
// - live: the form's element told the page `ready`, or each frame of a single field did.
// - strokes: from the key's arrival at the browser's main thread to the first task after the picture that shows it.
// - memory: bytes of the WebAssembly memory, which no heap figure of the browser counts.
// - blocking: the part over 50 ms of each task of more than 50 ms until live; shift: how far the page jumped.

(() => {
  let live = () => {};
  const lived = new Promise((resolve) => (live = () => resolve(undefined)));
  const bench = { typable: 0, live: 0, lived, strokes: /** @type {number[]} */ ([]), memory: 0, longest: 0, blocking: 0, shift: 0 };
  Object.defineProperty(globalThis, 'payframeBench', { value: bench });
  const now = () => performance.timeOrigin + performance.now();
  /** @param {() => void} then */
  const afterPaint = (then) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => then();
      port2.postMessage(0);
    });

  if (parent === window) {
    const isLive = () => (live(), (bench.live ||= now()));
    document.addEventListener('ready', isLive, true);
    // Fields in frames of their own report this one by one.
    const ready = new Set();
    addEventListener('message', ({ data }) => {
      if (data?.event === 'READY' && ready.add(data.id).size === document.querySelectorAll('iframe').length) isLive();
    });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) {
        if (bench.live && performance.timeOrigin + startTime > bench.live) continue;
        bench.longest = Math.max(bench.longest, duration);
        bench.blocking += duration - 50;
      }
    }).observe({ type: 'longtask', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) bench.shift += /** @type {any} */ (entry).value;
    }).observe({ type: 'layout-shift', buffered: true });
    return;
  }

  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = /** @type {any} */ (async (/** @type {WebAssembly.Module} */ module, /** @type {any} */ imports) => {
    const instance = await instantiate(module, imports);
    for (const part of Object.values(instance.exports)) {
      if (part instanceof WebAssembly.Memory) Object.defineProperty(bench, 'memory', { get: () => part.buffer.byteLength, enumerable: true });
    }
    return instance;
  });

  const canBeTyped = () => {
    const input = /** @type {HTMLInputElement | null} */ (document.querySelector('input[autocomplete="cc-number"]'));
    if (!input || input.disabled || input.readOnly) return false;
    const { left, top, width, height } = input.getBoundingClientRect();
    return width > 0 && height > 0 && document.elementFromPoint(left + width / 2, top + height / 2) === input;
  };
  const look = () => {
    if (canBeTyped()) afterPaint(() => (bench.typable ||= now()));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);

  let pressedAt = 0;
  let wanted = 0;
  let shown = () => {};
  /** Resolves once this number of keys is painted. @param {number} count */
  const painted = (count) => ((wanted = count), new Promise((resolve) => (shown = () => resolve(undefined))));
  Object.defineProperty(bench, 'painted', { value: painted });
  addEventListener('keydown', (event) => (pressedAt = event.timeStamp), true);
  const typed = () => {
    // The next key may arrive before this one is painted.
    const from = pressedAt;
    afterPaint(() => {
      if (bench.strokes.push(performance.now() - from) === wanted) shown();
    });
  };
  addEventListener('input', typed, true);
})();
