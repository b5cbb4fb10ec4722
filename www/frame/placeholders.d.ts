/** What the build puts into `loader.js` in place of `{{glue}}`: the address of the widget's glue, made by wasm-bindgen. */
declare module '{{glue}}' {
  /** Loads and starts the WebAssembly module. */
  export default function init(options: { module_or_path: string }): Promise<unknown>;
  /** Brings the form to life. */
  export function start(port: MessagePort | undefined, boot: unknown, texts: unknown, options: unknown, pressed: boolean): void;
}
