/** The build replaces `{{glue}}` in a loader by the address of the widget's glue, which wasm-bindgen makes, in one file with `bootstrap.js`. The widget's own functions are in `widget.d.ts`. */
declare module '{{glue}}' {
  /** Loads and starts the WebAssembly module. */
  export default function init(options: { module_or_path: string | WebAssembly.Module }): Promise<unknown>;
  export const bootstrap: typeof import('./bootstrap.js').bootstrap;
  export const loadBrowserScript: typeof import('./bootstrap.js').loadBrowserScript;
  export const loadRest: typeof import('./bootstrap.js').loadRest;
}

/** The same program as a script, for browsers without WebAssembly. */
declare module '{{script}}' {
  export * from '{{glue}}';
  export { default } from '{{glue}}';
}

/** A style sheet as text. */
declare module '*.css' {
  const text: string;
  export default text;
}

interface Window {
  /** What a frame of a session with several shows its siblings. */
  payframe?: import('./driver.js').Member;
  ResizeObserver: typeof ResizeObserver;
}

/** The script that a form loads on demand. The build writes its address. */
declare module '{{lazy:browser}}' {
  export const { applyAppearance, encryptCard, guardFields, guardForm, price, switchLocale }: typeof import('./browser.js');
}
