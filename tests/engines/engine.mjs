/**
 * The three engines, each behind its own WebDriver: Chromium, Firefox, and WebKit as GTK's MiniBrowser on an X server without
 * a screen. This module starts and ends them; `page.mjs` handles the content of pages.
 *
 * Programs come from `cargo xtask test`: `CHROMIUM`, `CHROMEDRIVER`, `FIREFOX`, `GECKODRIVER`, `MINIBROWSER`,
 * `WEBKITWEBDRIVER`, `XVFB`; `PAYFRAME_ENGINES` names the engines to test, all unless it is set.
 */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import { Builder, logging } from 'selenium-webdriver';
import { freePort } from '../e2e/ports.mjs';
import { WITH_STORAGE } from '../chromium.mjs';

/** @typedef {'chromium' | 'firefox' | 'webkit'} Engine */
/** @typedef {import('selenium-webdriver').WebDriver} WebDriver */
/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {{ wasm?: 'on' | 'off', scripts?: 'on' | 'off' }} Options whether the browser has WebAssembly, and whether pages run scripts */

const START_LIMIT_MS = 30_000;
const SIZE = { width: 1280, height: 1000, x: 0, y: 0 };
const CHROMIUM_FLAGS = ['--headless=new', ...WITH_STORAGE];

/** @param {string} variable @param {string} usual */
const program = (variable, usual) => process.env[variable] ?? usual;

/** How each engine is started: its driver, the capabilities, and how WebAssembly is switched off. */
const KINDS = {
  chromium: {
    driver: program('CHROMEDRIVER', 'chromedriver'),
    /** @param {Options} options */
    capabilities: ({ wasm, scripts }) => ({
      browserName: 'chrome',
      'goog:chromeOptions': {
        binary: program('CHROMIUM', '/usr/bin/chromium'),
        // Without a compiler there is no WebAssembly.
        args: wasm === 'off' ? [...CHROMIUM_FLAGS, '--js-flags=--jitless'] : CHROMIUM_FLAGS,
        ...(scripts === 'off' && { prefs: { 'profile.managed_default_content_settings.javascript': 2 } }),
      },
      'goog:loggingPrefs': { browser: 'ALL' },
    }),
    screen: false,
  },
  firefox: {
    driver: program('GECKODRIVER', fileURLToPath(new URL('../../target/tools/bin/geckodriver', import.meta.url))),
    /** @param {Options} options */
    capabilities: ({ wasm, scripts }) => ({
      browserName: 'firefox',
      'moz:firefoxOptions': {
        binary: program('FIREFOX', '/usr/bin/firefox-esr'),
        args: ['-headless'],
        prefs: { 'javascript.options.wasm': wasm !== 'off', 'javascript.enabled': scripts !== 'off' },
      },
    }),
    screen: false,
  },
  webkit: {
    driver: program('WEBKITWEBDRIVER', 'WebKitWebDriver'),
    /** @param {Options} options */
    capabilities: ({ scripts }) => ({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: program('MINIBROWSER', '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'), args: ['--automation', ...(scripts === 'off' ? ['--enable-javascript=false'] : [])] },
    }),
    screen: true,
  },
};

/** The engines to test. @type {Engine[]} */
export const ENGINES = (process.env.PAYFRAME_ENGINES ?? Object.keys(KINDS).join(',')).split(',').map((name) => {
  assert.ok(Object.hasOwn(KINDS, name), `PAYFRAME_ENGINES: there is no engine ${name}`);
  return /** @type {Engine} */ (name);
});

/** A running browser, with all processes that were started for it. */
export class RunningBrowser {
  /** @param {Engine} engine @param {Options} [options] */
  static async start(engine, options = {}) {
    const kind = KINDS[engine];
    const running = new RunningBrowser(engine);
    try {
      const display = kind.screen ? await running.#screen() : undefined;
      const port = await freePort();
      running.#spawn(kind.driver, [`--port=${port}`], {
        ...(display && { DISPLAY: display, GDK_BACKEND: 'x11' }),
        // As root there is no sandbox, and without a graphics card there is nothing to composite with.
        ...(engine === 'webkit' && { WEBKIT_DISABLE_COMPOSITING_MODE: '1', WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', LIBGL_ALWAYS_SOFTWARE: '1' }),
        ...(engine === 'webkit' && options.wasm === 'off' && { JSC_useWasm: '0' }),
      });
      const address = `http://127.0.0.1:${port}`;
      await running.#answers(`${address}/status`);
      running.driver = await new Builder().usingServer(address).withCapabilities(kind.capabilities(options)).build();
      await running.driver.manage().window().setRect(SIZE);
    } catch (problem) {
      await running.close();
      throw problem;
    }
    return running;
  }

  /** @type {WebDriver} */
  driver = /** @type {any} */ (undefined);
  /** @type {ChildProcess[]} */
  #children = [];
  /** The last output of the children, for error messages. @type {string[]} */
  #said = [];
  /** Why one of them could not be started. @type {Error | undefined} */
  #failed;

  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
  }

  async close() {
    // If the browser is gone already, its driver still has to be ended.
    await this.driver?.quit().catch(() => {});
    for (const child of this.#children.reverse()) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await ended;
    }
  }

  /** Errors and warnings of the page since the last call, if the engine reports them: only Chromium does. @returns {Promise<string[]>} */
  async complaints() {
    if (this.engine !== 'chromium') return [];
    const entries = await this.driver.manage().logs().get(logging.Type.BROWSER);
    return entries.filter(({ level }) => level.value >= logging.Level.WARNING.value).map(({ message }) => message);
  }

  /** An X server that draws into memory; it prints the number of a free display. @returns {Promise<string>} */
  async #screen() {
    const server = this.#spawn(program('XVFB', 'Xvfb'), ['-displayfd', '3', '-screen', '0', '1400x1200x24', '-nolisten', 'tcp'], {});
    const lines = createInterface({ input: /** @type {import('node:stream').Readable} */ (server.stdio[3]) });
    const number = await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      server.once('error', reject);
      server.once('close', () => reject(new Error(`the X server ended: ${this.#said.join('\n')}`)));
    });
    return `:${number}`;
  }

  /** @param {string} command @param {string[]} args @param {Record<string, string>} env */
  #spawn(command, args, env) {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: /** @type {import('node:stream').Readable} */ (stream) }).on('line', (line) => {
        this.#said = [...this.#said.slice(-19), line];
      });
    }
    child.once('error', (problem) => (this.#failed = problem));
    child.once('exit', (code) => (this.#failed ??= new Error(`${command} ended with ${code}`)));
    this.#children.push(child);
    return child;
  }

  /** Not every driver reports that it is ready, so its status is polled. @param {string} address */
  async #answers(address) {
    const limit = performance.now() + START_LIMIT_MS;
    for (;;) {
      const answer = await fetch(address).catch(() => undefined);
      if (answer?.ok) return;
      if (this.#failed) throw new Error(`the driver of ${this.engine} does not run: ${this.#said.join('\n')}`, { cause: this.#failed });
      assert.ok(performance.now() < limit, `the driver of ${this.engine} does not answer: ${this.#said.join('\n')}`);
      await pause(50);
    }
  }
}
