// Made by `cargo xtask reference` from `src/lib.rs` and `src/frame_scripts.rs`; changes by hand are lost.
// What the widget and the frame's scripts call of each other.

declare module '{{glue}}' {
  /**
   * Creates the form of this document, once the handshake with the shop's page has given `port`. The frame loader calls it once, then `draw`
   * and `start`, in tasks of their own if possible: each takes a slow phone about 20 ms, and a key that is pressed meanwhile is
   * handled in between.
   *
   * `boot` is a `payframe_protocol::boot::Boot`, `texts` the locale's flat object of sentences, `options` a
   * `payframe_protocol::frame::FrameOptions`.
   */
  export function prepare(port: MessagePort, boot: import('./port.js').Boot, texts: Record<string, string>, options: import('../sdk/messages.js').FrameOptions): void;
  /** Draws what the form that was prepared shows beside its inputs and buttons. */
  export function draw(): void;
  /** Makes the form live that was prepared and drawn. `pressed`: the buyer pressed Pay before. */
  export function start(pressed: boolean): void;
  /**
   * Loads what the form needs from the first press on, unless it is loaded. The frame loader calls it when the browser is idle; a press
   * does it too.
   */
  export function loadLatePart(): void;
  /**
   * The frame of a single field was added, removed or loaded again: binds the field to its current input, with what was
   * typed before. `field`: its id. The frame loader calls it; before `start` and for an unknown field it does nothing.
   */
  export function rebind(field: string): void;
}

/** The element with this id, in whichever document of the session's frames it is. */
declare var payframeFind: (id: string) => Element | null;

/** Does something after the next paint, or soon if the browser paints nothing. */
declare var payframeAfterPaint: (act: () => void) => void;

/**
 * Adds a file of texts, in the current language, to the form's texts: `$choices` or `$late`. The loader of the module's late part
 * calls it, too.
 */
declare var payframeLoadTexts: (file: string) => Promise<unknown>;

/** Encrypts the secret items, and gives the promise of what is sent. */
declare var payframeEncryptCard: (items: { id: string, value: string }[]) => Promise<unknown>;

/**
 * In a frame of the Build protocol: the port of the widget's late part. On it comes what the widget says, with all that it said before;
 * on it the late part says what the merchant's page is told. Called once.
 */
declare var payframeBuildPort: () => MessagePort;
