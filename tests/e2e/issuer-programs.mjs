/** The sandbox's directory server and issuer, which are programs of their own. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GATEWAY } from './servers.mjs';
import { Server } from './server.mjs';

export class IssuerPrograms {
  #folder = mkdtempSync(join(tmpdir(), 'payframe-issuers-'));
  /** @type {Server[]} */
  #servers = [];
  /** What a gateway needs to ask them: its environment. @type {Record<string, string>} */
  environment = {};
  /** The issuer's page that enrols devices. */
  enrolment = '';

  static async start() {
    const programs = new IssuerPrograms();
    const acs = await programs.#start('acs', /^enrolment: /);
    programs.enrolment = acs.told('enrolment: ');
    const directoryServer = await programs.#start('directory-server', /^settings: /, '--acs', acs.told('acs: '), '--acs-pages', acs.told('pages: '));
    programs.environment = { PAYFRAME_3DS: directoryServer.told('settings: ') };
    return programs;
  }

  /** @param {string} name @param {RegExp} ready @param {string[]} words */
  async #start(name, ready, ...words) {
    const log = join(this.#folder, `${name}.log`);
    const server = new Server(name, GATEWAY, {}, log, ['sandbox', name, '--folder', join(this.#folder, '3ds'), ...words], ready);
    this.#servers.push(server);
    await server.start();
    return server;
  }

  async stop() {
    await Promise.all(this.#servers.map((server) => server.stop()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
