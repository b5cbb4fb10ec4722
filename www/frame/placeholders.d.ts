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
  /** Binds a field to the input that there is now. */
  export function rebind(field: string): void;
  export const bootstrap: typeof import('./bootstrap.js').bootstrap;
  export const loadEncryption: typeof import('./bootstrap.js').loadEncryption;
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

/** Adds the texts of what may be chosen beside the card to those of the form. */
declare var payframeLoadChoiceTexts: () => Promise<unknown>;

/** The widget has the card encrypted. */
declare var payframeEncryptCard: (items: import('./encrypt-card.js').Item[]) => Promise<import('./encrypt-card.js').Item[]>;

/** The widget has a likely slip in the e-mail address looked for. */
declare var payframeSuggestEmail: () => void;

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
declare module '{{lazy:encrypt-card}}' {
  export const encryptCard: typeof import('./encrypt-card.js').encryptCard;
}
declare module '{{lazy:email-suggestions}}' {
  export const suggestEmail: typeof import('./email-suggestions.js').suggestEmail;
}
