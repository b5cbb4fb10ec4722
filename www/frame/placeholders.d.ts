/** The build replaces `{{glue}}` in a loader by the address of the widget's glue, which wasm-bindgen makes, in one file with `bootstrap.js`. */
declare module '{{glue}}' {
  /** Loads and starts the WebAssembly module. */
  export default function init(options: { module_or_path: string | WebAssembly.Module }): Promise<unknown>;
  /** Creates the form. */
  export function prepare(port: MessagePort | undefined, boot: unknown, texts: unknown, options: unknown): void;
  /** Draws what it shows beside inputs and buttons. */
  export function draw(): void;
  /** Makes it live. */
  export function start(pressed: boolean): void;
  /** Loads what the first press needs. */
  export function loadLatePart(): void;
  /** Binds a field to its current input. */
  export function rebind(field: string): void;
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

/** Adds the texts of choices to those of the form. */
declare var payframeLoadChoiceTexts: () => Promise<unknown>;

/** Adds the texts that only the late part of the widget shows. */
declare var payframeLoadLateTexts: () => Promise<unknown>;

/** The widget calls it to encrypt the card. */
declare var payframeEncryptCard: (items: import('./encrypt-card.js').Item[]) => Promise<import('./encrypt-card.js').Item[]>;

/** The widget calls it to do something after the next paint. */
declare var payframeAfterPaint: (act: () => void) => void;

/** The widget finds each element of the page with it: its own document may not be the only one. */
declare var payframeFind: (id: string) => Element | null;

interface Window {
  /** What a frame of a session with several shows its siblings. */
  payframe?: import('./driver.js').Member;
  ResizeObserver: typeof ResizeObserver;
}

/** The script that a form loads on demand. The build writes its address. */
declare module '{{lazy:browser}}' {
  export const { ClickjackingGuard, applyAppearance, encryptCard, price, switchLocale }: typeof import('./browser.js');
}
