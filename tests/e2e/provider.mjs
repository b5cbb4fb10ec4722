/** A company's log-in provider, for tests of the back office. */

import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** @param {unknown} value */
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A log-in provider (OpenID Connect) with one person. */
export class Provider {
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
    return this.#signed({ ...said, email: this.email, email_verified: true });
  }

  /** @param {object} claims */
  #signed(claims) {
    const signed = `${part({ alg: 'ES256' })}.${part(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.#keys.privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }

  /** Tells a gateway that the person has logged out (OpenID Connect Back-Channel Logout 1.0). @param {string} gatewayOrigin */
  async tellsOfLogOut(gatewayOrigin) {
    const now = Math.floor(Date.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const said = { iss: this.issuer, sub: this.email, aud: 'payframe', iat: now, exp: now + 60, jti: randomUUID(), events };
    const body = new URLSearchParams({ logout_token: this.#signed(said) });
    const { status } = await fetch(`${gatewayOrigin}/office/login/provider/acme/back-channel-logout`, { method: 'POST', body });
    assert.equal(status, 200);
  }

  /**
   * Writes the gateway's file of providers, with this one.
   * @param {string} folder
   * @param {string} [more] further members
   */
  inFile(folder, more = '') {
    const file = join(folder, 'providers.toml');
    const members = { id: 'acme', name: 'Acme', merchant: 'demo', issuer: this.issuer, client_id: 'payframe', client_secret_file: 'secret' };
    writeFileSync(file, `[[provider]]\n${Object.entries(members).map(([name, value]) => `${name} = "${value}"\n`).join('')}${more}`);
    writeFileSync(join(folder, 'secret'), 'hush');
    return file;
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
