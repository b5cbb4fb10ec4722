// @ts-check
/** WordPress as Debian has it, with its database and PHP's own server, and the plug-in in it. WooCommerce is the small one of the tests. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, start } from '../../../frameworks/programs.mjs';
import { FOLDER, ROOT } from '../../../../tests/plugins/install.mjs';

/** @typedef {import('../../../../tests/plugins/stage.mjs').ShopStage} ShopStage */
/** @typedef {Awaited<ReturnType<typeof start>>} Program */

const OWN = join(ROOT, 'packages/woocommerce');

/** The files of WordPress: those of Debian's package, without what it depends on. @returns {Promise<string>} */
export async function wordpress() {
  const folder = join(FOLDER, 'wordpress');
  const files = join(folder, 'usr/share/wordpress');
  if (existsSync(join(files, 'wp-load.php'))) return files;
  mkdirSync(folder, { recursive: true });
  const place = { folder, log: join(FOLDER, 'wordpress-install.log') };
  await run('apt-get', ['download', 'wordpress'], place);
  await run('dpkg-deb', ['-x', String(readdirSync(folder).find((name) => name.endsWith('.deb'))), folder], place);
  // Debian's own configuration is not installed.
  rmSync(join(files, 'wp-config.php'), { force: true });
  return files;
}

export class Site {
  #programs = /** @type {Program[]} */ ([]);
  /** The server's socket has a short path. */
  #socket = mkdtempSync(join(tmpdir(), 'payframe-wordpress-'));

  /** @param {string} files @param {ShopStage} stage */
  constructor(files, stage) {
    this.files = files;
    this.stage = stage;
    this.place = { folder: stage.folder, env: { WORDPRESS: files, PAYFRAME_WORDPRESS_CONFIG: join(stage.folder, 'config.php') }, log: join(stage.folder, 'shop.log') };
  }

  /** @param {Record<string, string>} settings of the plug-in */
  async open(settings) {
    const { folder } = this.stage;
    const [data, content] = [join(folder, 'database'), join(folder, 'wp-content')];
    for (const name of ['plugins', 'mu-plugins']) mkdirSync(join(content, name), { recursive: true });
    symlinkSync(OWN, join(content, 'plugins/payframe-woocommerce'));
    symlinkSync(join(OWN, 'tests/wordpress/shop.php'), join(content, 'mu-plugins/shop.php'));
    await run('mariadb-install-db', ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', ...owner()], this.place);
    const socket = join(this.#socket, 'socket');
    const database = ['--no-defaults', `--datadir=${data}`, `--socket=${socket}`, '--skip-networking', `--pid-file=${join(folder, 'database.pid')}`, ...owner()];
    this.#programs.push(await start('mariadbd', database, this.place, /ready for connections/));
    await run('mariadb', ['--no-defaults', `--socket=${socket}`, '--user=root', '--execute=CREATE DATABASE shop'], this.place);
    writeFileSync(join(this.files, 'wp-config.php'), CONFIG);
    writeFileSync(this.place.env.PAYFRAME_WORDPRESS_CONFIG, this.#config(socket, content));
    const [said] = (await run('php', [join(OWN, 'tests/wordpress/install.php')], { ...this.place, env: { ...this.place.env, PAYFRAME_SETTINGS: JSON.stringify(settings) } })).slice(-1);
    this.installed = JSON.parse(String(said));
    const router = join(folder, 'router.php');
    writeFileSync(router, ROUTER.replace('CONTENT', content));
    const server = ['-S', `127.0.0.1:${this.stage.shopPort}`, '-t', this.files, router];
    this.#programs.push(await start('php', server, this.place, /started/));
  }

  async close() {
    for (const program of this.#programs.reverse()) await program.stop();
    rmSync(this.#socket, { recursive: true, force: true });
  }

  /** What the shop answers. @param {Record<string, string | number>} query @returns {Promise<any>} */
  async ask(query) {
    const answer = await fetch(`${this.stage.shop}/?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`);
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return JSON.parse(text);
  }

  /** What WordPress's cron does. */
  async cron() {
    await (await fetch(`${this.stage.shop}/wp-cron.php?doing_wp_cron`)).text();
  }

  /** @param {string} socket @param {string} content */
  #config(socket, content) {
    const values = {
      DB_NAME: 'shop', DB_USER: 'root', DB_PASSWORD: '', DB_HOST: `localhost:${socket}`, DB_CHARSET: 'utf8mb4', DB_COLLATE: '', WP_HOME: this.stage.shop, WP_SITEURL: this.stage.shop,
      WP_CONTENT_DIR: content, WP_CONTENT_URL: `${this.stage.shop}/wp-content`, PAYFRAME_TESTS: join(OWN, 'tests'), PAYFRAME_TEST_RELAY: this.stage.relay,
    };
    // The cron runs when the test wants it. WordPress asks nobody elsewhere for updates.
    return `<?php define('DISABLE_WP_CRON', true);\ndefine('WP_HTTP_BLOCK_EXTERNAL', true);\ndefine('WP_ACCESSIBLE_HOSTS', 'localhost');\n${Object.entries(values).map(([name, value]) => `define('${name}', '${value}');\n`).join('')}`;
  }
}

/** The server refuses to run as root unless it is told to. */
const owner = () => (process.getuid?.() === 0 ? ['--user=root'] : []);

const CONFIG = `<?php
require getenv('PAYFRAME_WORDPRESS_CONFIG');
$table_prefix = 'wp_';
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
const ROUTER = `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (str_starts_with($path, '/wp-content/') && str_ends_with($path, '.js')) {
    header('content-type: text/javascript');
    return readfile('CONTENT' . substr($path, strlen('/wp-content')));
}
if (is_file($_SERVER['DOCUMENT_ROOT'] . $path)) return false;
$_SERVER['SCRIPT_NAME'] = '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
`;
