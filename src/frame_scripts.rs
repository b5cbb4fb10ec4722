//! What the widget calls of the frame's scripts. They provide these functions before they start the widget.
//!
//! With the exported functions of [`crate`] this is the whole border between Rust and the scripts: `cargo xtask reference` makes
//! `www/frame/widget.d.ts` of both, and the scripts are checked with that. A function that has `catch` may be missing.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::{Element, MessagePort};

#[wasm_bindgen]
extern "C" {
    /// A function without arguments.
    #[wasm_bindgen(typescript_type = "() => void")]
    pub type Action;

    /// Fields with what was typed into them.
    #[wasm_bindgen(typescript_type = "{ id: string, value: string }[]")]
    pub type TypedItems;

    /// The element with this id, in whichever document of the session's frames it is.
    #[wasm_bindgen(js_name = payframeFind)]
    pub fn find(id: &str) -> Option<Element>;

    /// Does something after the next paint, or soon if the browser paints nothing.
    ///
    /// # Errors
    /// If no script provides the function.
    #[wasm_bindgen(js_name = payframeAfterPaint, catch)]
    pub fn after_paint(act: &Action) -> Result<(), JsValue>;

    /// Adds a file of texts, in the current language, to the form's texts: `$choices` or `$late`. The loader of the module's late part
    /// calls it, too.
    ///
    /// # Errors
    /// If no script provides the function.
    #[wasm_bindgen(js_name = payframeLoadTexts, catch)]
    pub fn load_texts(file: &str) -> Result<Promise, JsValue>;

    /// Encrypts the secret items, and gives the promise of what is sent.
    #[wasm_bindgen(js_name = payframeEncryptCard)]
    pub fn encrypt_card(items: &TypedItems) -> Promise;

    /// In a frame of the Build protocol: the port of the widget's late part. On it comes what the widget says, with all that it said before;
    /// on it the late part says what the merchant's page is told. Called once.
    #[wasm_bindgen(js_name = payframeBuildPort)]
    pub fn build_port() -> MessagePort;
}
