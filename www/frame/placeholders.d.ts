/** What the build puts into a loader in place of `{{glue}}`: the address of the widget's glue, made by wasm-bindgen, and of `bootstrap.js`, which is with it. */
declare module '{{glue}}' {
  /** Loads and starts the WebAssembly module. */
  export default function init(options: { module_or_path: string | WebAssembly.Module }): Promise<unknown>;
  /** Puts the form together. */
  export function prepare(port: MessagePort | undefined, boot: unknown, texts: unknown, options: unknown): void;
  /** Draws what it shows beside inputs and buttons. */
  export function draw(): void;
  /** Brings it to life. */
  export function start(pressed: boolean): void;
  /** Loads what the first press needs. */
  export function loadLatePart(): void;
  /** Hears what the buyer chose beside the card. */
  export function decided(subject: string, value: string): void;
  /** Binds a field to the input that there is now. */
  export function rebind(field: string): void;
  /** Something happened in the frame that the session monitor saw. */
  export function onFrameEvent(event: import('./port.js').FrameEvent): void;
  export const bootstrap: typeof import('./bootstrap.js').bootstrap;
  export const loadSessionMonitor: typeof import('./bootstrap.js').loadSessionMonitor;
}

/** A style sheet as text. */
declare module '*.css' {
  const text: string;
  export default text;
}

/** Tells or asks the script that draws choices; loads it where that is worth it. Encrypts the card. */
declare var payframeChoices: (subject: string, told: unknown) => unknown;

/** The widget says what the form does, and how many seconds that may last where it is news. */
declare var payframeNotify: (what: import('./port.js').FormNotice, seconds: number) => void;

/** The widget has something done once what it changed is painted. */
declare var payframeAfterPaint: (act: () => void) => void;

/** The widget asks for each element of the page by this name: its own document may not be the only one. */
declare var payframeFind: (id: string) => Element | null;

interface Window {
  /** What a frame of a session with several shows its siblings. */
  payframe?: import('./driver.js').Member;
  ResizeObserver: typeof ResizeObserver;
}

/** What stands in for texts that do not come. The build writes where it is, as with all below. */
declare module '{{english}}' {
  const texts: Record<string, string>;
  export default texts;
}

/** What a loader brings in when it is needed. */
declare module '{{lazy:locale-switch}}' {
  export const switchLocale: typeof import('./locale-switch.js').switchLocale;
}
declare module '{{lazy:clickjacking-guard}}' {
  export const ClickjackingGuard: typeof import('./clickjacking-guard.js').ClickjackingGuard;
}
declare module '{{lazy:appearance}}' {
  export function applyAppearance(frame: Window, appearance: unknown): void;
}
declare module '{{lazy:choices}}' {
  export const Choices: typeof import('./choices.js').Choices;
}
declare module '{{lazy:email-suggestions}}' {
  export const suggestEmail: typeof import('./email-suggestions.js').suggestEmail;
}
