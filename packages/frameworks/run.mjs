// @ts-check
/**
 * The matrix of frameworks: `node packages/frameworks/run.mjs [app…]`, all apps unless some are named.
 *
 * Packs our packages, and for each app: installs what its lock file says and the tarballs, in a fresh folder; checks its types; builds it; runs it,
 * as developed and as built, and pays on each of its pages in Chromium. The gateway is a real one: PAYFRAME_GATEWAY_BIN and PAYFRAME_DIST name it and
 * what it serves (`target/debug/payframe-gateway` and `target/dist` unless they are set). Everything is in `target/frameworks`, with the logs of the last run.
 */

import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tests/e2e/ports.mjs';
import { Server } from '../../tests/e2e/server.mjs';
import { APPS } from './apps.mjs';
import { openBrowser, pay } from './buyer.mjs';
import { run, start } from './programs.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../..');
const FOLDER = join(ROOT, 'target/frameworks');
const TARBALLS = join(FOLDER, 'tarballs');
const API_KEY = 'sandbox-implicit';
const QUIET = { CI: '1', NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1', NG_CLI_ANALYTICS: 'false' };

/** @param {string} line */
const say = (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);

/** @param {string[]} names */
async function pack(names) {
  mkdirSync(TARBALLS, { recursive: true });
  for (const name of names) {
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', TARBALLS], { folder: join(ROOT, 'packages', name), log: join(FOLDER, 'pack.log') });
  }
}

/** @param {string} name of a package */
function tarball(name) {
  const file = readdirSync(TARBALLS).find((each) => each.startsWith(`payframe-${name}-`));
  if (!file) throw new Error(`there is no tarball of ${name}`);
  return join(TARBALLS, file);
}

/** A fresh folder with the app and what it needs. @param {string} name @param {import('./apps.mjs').App} app */
async function install(name, { base, packages, pages, shop = 'shop.mjs', isStatic }) {
  const folder = join(FOLDER, name);
  rmSync(folder, { recursive: true, force: true });
  for (const from of [base, name]) if (from) cpSync(join(HERE, 'apps', from), folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  if (pages) cpSync(join(HERE, 'shop.mjs'), join(folder, shop));
  if (isStatic) cpSync(join(HERE, 'static-shop.mjs'), join(folder, 'static-shop.mjs'));
  const place = { folder, env: QUIET, log: join(FOLDER, `${name}.log`) };
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['ci', ...quiet], place);
  // The tarballs are new each time, so that the lock file can not name them. Some tools look for them in package.json.
  await run('npm', ['install', '--save-exact', '--no-package-lock', '--prefer-offline', ...quiet, ...['form', 'server', ...packages].map(tarball)], place);
  return place;
}

/** @param {string} name */
function app(name) {
  const known = APPS[name];
  if (!known) throw new Error(`there is no app ${name}; the apps are: ${Object.keys(APPS).join(', ')}`);
  return known;
}

/** @param {string} name @param {string} gateway @param {import('playwright-core').Browser} browser */
async function check(name, gateway, browser) {
  const { pages = [], ready } = app(name);
  say(`${name}: install`);
  const place = await install(name, app(name));
  say(`${name}: types`);
  await run('npm', ['run', 'typecheck'], place);
  if (!ready) return;
  say(`${name}: build`);
  await run('npm', ['run', 'build'], place);
  for (const [mode, pattern] of Object.entries(ready)) {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const env = { ...QUIET, PORT: String(port), HOST: '127.0.0.1', ORIGIN: origin, PAYFRAME_GATEWAY: gateway, PAYFRAME_API_KEY: API_KEY };
    const program = await start('npm', ['run', mode], { ...place, env }, pattern);
    try {
      for (const page of pages) {
        say(`${name}: ${mode}, ${page.path}`);
        await pay(browser, origin, page);
      }
    } finally {
      await program.stop();
    }
  }
}

/** @param {string} variable @param {string} usual below the repository's root */
function setting(variable, usual) {
  const path = process.env[variable] ?? join(ROOT, usual);
  if (!existsSync(path)) throw new Error(`${path} is not there: build it, or set ${variable}`);
  return path;
}

async function openGateway() {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const data = join(FOLDER, 'gateway');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  const env = {
    PAYFRAME_MODE: 'sandbox',
    PAYFRAME_LISTEN: `127.0.0.1:${port}`,
    PAYFRAME_ORIGIN: origin,
    PAYFRAME_DATA: data,
    PAYFRAME_ASSETS: setting('PAYFRAME_DIST', 'target/dist'),
    PAYFRAME_ALLOW_INSECURE_URLS: '1',
  };
  const server = new Server('the gateway', setting('PAYFRAME_GATEWAY_BIN', 'target/debug/payframe-gateway'), env, join(FOLDER, 'gateway.log'));
  await server.start();
  return { origin, server };
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(APPS);
wanted.forEach(app);
rmSync(TARBALLS, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
await pack(['form', 'server', ...new Set(wanted.flatMap((name) => app(name).packages))]);
const { origin, server } = await openGateway();
const failures = /** @type {string[]} */ ([]);
const browser = await openBrowser();
try {
  for (const name of wanted) {
    try {
      await check(name, origin, browser);
      say(`${name}: passed`);
    } catch (problem) {
      failures.push(name);
      console.error(problem);
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
if (failures.length > 0) {
  console.error(`failed: ${failures.join(', ')}`);
  process.exitCode = 1;
}
