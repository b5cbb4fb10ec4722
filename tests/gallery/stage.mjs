/**
 * The set-up of the gallery's tests: a browser with the fonts of this repository, and the gallery. One for each test file.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { SHELL } from '../chromium.mjs';
import { serveGallery } from './server.mjs';

/** Where tests put what differs. */
export const ACTUAL = new URL('../../target/gallery/', import.meta.url);
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 360, height: 800 };
/** Has every machine draw the same. */
export const DRAWING = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb', '--disable-font-subpixel-positioning'];
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...DRAWING];

export class Stage {
  /** @param {string} name of the test file */
  static async open(name) {
    const [browser, gallery] = await Promise.all([
      chromium.launch({ executablePath: SHELL, args: FLAGS, env: /** @type {Record<string, string>} */ (fontEnvironment(name)) }),
      serveGallery(),
    ]);
    return new Stage(browser, gallery);
  }

  /** @type {Awaited<ReturnType<typeof serveGallery>>} */
  #gallery;

  /** @param {import('playwright-core').Browser} browser @param {Awaited<ReturnType<typeof serveGallery>>} gallery */
  constructor(browser, gallery) {
    this.browser = browser;
    this.#gallery = gallery;
  }

  async close() {
    await Promise.all([this.browser.close(), this.#gallery.close()]);
  }

  /**
   * Opens a page of the gallery, waits until its forms are stable, and passes it to `look`.
   * @param {Record<string, string>} query @param {{ width: number, height: number }} viewport @param {(page: import('playwright-core').Page) => Promise<unknown>} look
   */
  async shown(query, viewport, look) {
    const page = await this.browser.newPage({ viewport, reducedMotion: 'reduce', timezoneId: 'UTC' });
    const broke = page.waitForEvent('pageerror', { timeout: 0 }).then((error) => Promise.reject(error));
    // It is awaited below; the end of the page also ends this wait.
    broke.catch(() => {});
    try {
      await page.clock.setFixedTime(new Date('2026-11-20T10:00:00Z'));
      // A page that never finishes loading would keep the sheet loading.
      await page.goto(`${this.#gallery.origin}/?${new URLSearchParams({ ...query, bare: '1' })}`, { waitUntil: 'commit' });
      // All states at once take a slow machine a minute.
      await Promise.race([page.waitForSelector('html[data-shown]', { timeout: 240_000 }), broke]);
      await look(page);
    } finally {
      await page.close();
    }
  }
}

/** A fontconfig with only the fonts of this repository, and without settings that differ between machines. @param {string} name of the test file */
export function fontEnvironment(name) {
  mkdirSync(ACTUAL, { recursive: true });
  const file = new URL(`${name}-fonts.conf`, ACTUAL);
  const alias = (/** @type {string} */ family) => `<match target="pattern"><test name="family"><string>${family}</string></test><edit name="family" mode="prepend" binding="strong"><string>Noto Sans</string></edit></match>`;
  writeFileSync(file, `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${fileURLToPath(new URL('fonts/', import.meta.url))}</dir><cachedir>${fileURLToPath(new URL(`${name}-font-cache/`, ACTUAL))}</cachedir>
${['system-ui', 'sans-serif', 'serif', 'monospace'].map(alias).join('\n')}
<match target="font"><edit name="antialias" mode="assign"><bool>true</bool></edit><edit name="hinting" mode="assign"><bool>false</bool></edit><edit name="hintstyle" mode="assign"><const>hintnone</const></edit><edit name="rgba" mode="assign"><const>none</const></edit></match>
</fontconfig>`);
  return { ...process.env, FONTCONFIG_FILE: fileURLToPath(file) };
}
