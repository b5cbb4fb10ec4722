/** Logging in to the back office at a company's log-in provider, which is another site: cookies, policies and pages of a real browser. */

import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Office, WINDOWS, jutting, picture } from './office.mjs';
import { Stage } from './stage.mjs';
import { violations } from './wcag.mjs';

/** @param {unknown} value */
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A log-in provider (OpenID Connect) with one person. */
class Provider {
  /** The person's e-mail address. */
  email = '';
  issuer = '';
  #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  /** What each code was asked for with. @type {Map<string, URLSearchParams>} */
  #asked = new Map();
  #server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', this.issuer);
    /** @param {string} kind @param {string} body */
    const answer = (kind, body) => response.writeHead(200, { 'content-type': kind }).end(body);
    switch (url.pathname) {
      case '/.well-known/openid-configuration': {
        const at = (/** @type {string} */ path) => `${this.issuer}/${path}`;
        const parts = { authorization_endpoint: at('log-in'), token_endpoint: at('token'), jwks_uri: at('keys') };
        return answer('application/json', JSON.stringify({ issuer: this.issuer, ...parts }));
      }
      case '/log-in': {
        const code = randomUUID();
        this.#asked.set(code, url.searchParams);
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.search = String(new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }));
        const page = `<!doctype html><html lang="en"><title>Acme</title><link rel="icon" href="data:,"><h1>Acme</h1><a href="${back.href.replaceAll('&', '&amp;')}">That is me</a>`;
        return answer('text/html; charset=utf-8', page);
      }
      case '/token':
        return answer('application/json', JSON.stringify({ id_token: this.#token(new URLSearchParams(await text(request))) }));
      default:
        return answer('application/json', JSON.stringify({ keys: [this.#keys.publicKey.export({ format: 'jwk' })] }));
    }
  });

  /** @param {URLSearchParams} sent */
  #token(sent) {
    const asked = this.#asked.get(sent.get('code') ?? '');
    const challenge = createHash('sha256').update(sent.get('code_verifier') ?? '').digest('base64url');
    assert.equal(asked?.get('code_challenge'), challenge);
    const now = Math.floor(Date.now() / 1000);
    const said = { iss: this.issuer, sub: this.email, aud: 'payframe', nonce: asked?.get('nonce'), iat: now, exp: now + 60, auth_time: now };
    const signed = `${part({ alg: 'ES256' })}.${part({ ...said, email: this.email, email_verified: true })}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.#keys.privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }

  async start() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    this.issuer = `http://127.0.0.1:${port}`;
  }

  stop() {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** @param {import('node:http').IncomingMessage} request */
const text = async (request) => {
  const parts = [];
  for await (const chunk of request) parts.push(chunk);
  return Buffer.concat(parts).toString();
};

suite('log-in provider', () => {
  const provider = new Provider();
  const folder = mkdtempSync(join(tmpdir(), 'payframe-provider-'));
  /** @type {Stage} */
  let stage;
  before(async () => {
    await provider.start();
    const file = join(folder, 'providers.toml');
    const members = { id: 'acme', name: 'Acme', merchant: 'demo', issuer: provider.issuer, client_id: 'payframe', client_secret_file: 'secret' };
    writeFileSync(file, `[[provider]]\n${Object.entries(members).map(([name, value]) => `${name} = "${value}"\n`).join('')}`);
    writeFileSync(join(folder, 'secret'), 'hush');
    stage = await Stage.open('log-in-provider', { gateway: { PAYFRAME_LOGIN_PROVIDERS: file } });
  });
  after(async () => {
    await stage.close();
    provider.stop();
    rmSync(folder, { recursive: true });
  });

  test('a member logs in there, to the page that they asked for, and confirms there that it is them', async (t) => {
    const office = await Office.atDoor(stage, t, 'administrator');
    const { page } = office;
    provider.email = office.email;
    await page.goto(`${stage.gatewayOrigin}/office/audit?act=BIND_ACCOUNT`);
    await page.getByRole('button', { name: 'Go on with Acme' }).click();
    await office.heading('Acme');
    await page.getByRole('link', { name: 'That is me' }).click();
    await office.heading('Audit log');
    assert.equal(new URL(page.url()).search, '?act=BIND_ACCOUNT');
    await page.getByRole('row').filter({ hasText: provider.issuer }).first().waitFor();
    const cookies = await page.context().cookies(`${stage.gatewayOrigin}/office/login/provider/acme`);
    assert.deepEqual(cookies.map(({ name, sameSite }) => [name, sameSite]), [['payframe-office', 'Strict']], 'that of the way is gone');
    await page.goto(`${stage.gatewayOrigin}/office/confirm?next=/office/keys`);
    await page.getByRole('button', { name: 'Log in again with Acme' }).click();
    await office.heading('Acme');
    await page.getByRole('link', { name: 'That is me' }).click();
    await office.heading('API keys');
  });

  test('whoever works for nobody here does not get in', async (t) => {
    const office = await Office.atDoor(stage, t, 'viewer', { noise: /status of 403/ });
    provider.email = `other-${office.email}`;
    await office.page.getByRole('button', { name: 'Go on with Acme' }).click();
    await office.page.getByRole('link', { name: 'That is me' }).click();
    await office.page.getByRole('alert').filter({ hasText: 'Nobody works here with the e-mail address that Acme has of you.' }).waitFor();
    await office.page.getByRole('link', { name: 'To the log-in' }).click();
    await office.heading('Log in');
  });

  for (const { name: dress, context } of WINDOWS) {
    test(`axe finds nothing, and nothing scrolls sideways: ${dress}`, async (t) => {
      const office = await Office.atDoor(stage, t, 'administrator', { context, noise: /status of 403/ });
      const { page } = office;
      /** @param {string} name */
      const clean = async (name) => {
        await picture(page, `${stage.folder}${name}-${dress}.png`);
        assert.deepEqual(await violations(page, stage.gatewayOrigin), [], name);
        assert.deepEqual(await jutting(page), [], name);
      };
      await clean('log-in');
      provider.email = 'nobody@shop.example';
      await page.getByRole('button', { name: 'Go on with Acme' }).click();
      await page.getByRole('link', { name: 'That is me' }).click();
      await page.getByRole('alert').waitFor();
      await clean('refused');
      provider.email = office.email;
      await page.getByRole('link', { name: 'To the log-in' }).click();
      await page.getByRole('button', { name: 'Go on with Acme' }).click();
      await page.getByRole('link', { name: 'That is me' }).click();
      await office.heading('Overview');
      await page.goto(`${stage.gatewayOrigin}/office/confirm`);
      await clean('confirm');
    });
  }
});
