// Made by `cargo xtask reference` from the types of `crates/protocol`; changes by hand are lost.
// What frames of the gateway's origin tell each other.

/** A page that is nested in a frame of ours, to that frame, by `postMessage` to our own origin. A hint: whoever hears it asks the gateway. */
export type NestedPageMessage = { type: 'challenge-returned' } | { type: 'device-check-done' } | { type: 'method-done' };

/**
 * What each frame of a session shows its siblings as `window.payframe`, beside the objects of its scripts: browsers let frames of one
 * origin read it, and no page of another origin.
 */
export type SiblingFrame = {
  /** Session id: frames with another one are none of its siblings. */
  session: string,
  /** Id of its field; `form` for the frame of a form whose fields are in frames of their own. */
  id: string,
};
