// @ts-check
// A slow link between the browser and everything else: a SOCKS proxy that delays and limits as a mobile network does.
//
// DevTools' own throttling adds its latency to each request and connects without delay. A real network does neither: a new
// connection costs a round trip before its first request, a used one does not, and all connections share one rate.

import { connect, createServer } from 'node:net';

/** @typedef {{ roundTripMs: number, downBytesPerSecond: number, upBytesPerSecond: number }} Link */

/** 1.6 Mbit/s down, 750 kbit/s up. */
export const SLOW_4G = { roundTripMs: 150, downBytesPerSecond: 1_600_000 / 8, upBytesPerSecond: 750_000 / 8 };
const PACKET = 1460;

/** One direction of the link: packets leave one after the other and arrive half a round trip later. */
class Lane {
  #freeAt = 0;
  #bytesPerSecond;
  #delayMs;

  /** @param {number} bytesPerSecond @param {number} delayMs */
  constructor(bytesPerSecond, delayMs) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#delayMs = delayMs;
  }

  /**
   * Carries data from one socket to another, in order.
   * @param {import('node:net').Socket} from @param {import('node:net').Socket} to
   */
  carry(from, to) {
    let last = Promise.resolve();
    /** @param {() => void} deliver @param {number} bytes */
    const send = (deliver, bytes) => {
      this.#freeAt = Math.max(performance.now(), this.#freeAt) + (bytes / this.#bytesPerSecond) * 1000;
      const arrival = this.#freeAt + this.#delayMs;
      last = last.then(() => until(arrival)).then(deliver);
    };
    from.on('data', (data) => {
      for (let start = 0; start < data.length; start += PACKET) {
        const packet = data.subarray(start, start + PACKET);
        send(() => to.writable && to.write(packet), packet.length);
      }
    });
    from.on('end', () => send(() => to.end(), 0));
    from.on('error', () => to.destroy());
  }
}

/** @param {number} time @returns {Promise<void>} */
const until = (time) => new Promise((resume) => setTimeout(resume, Math.max(0, time - performance.now())));

/**
 * Serves the proxy on a free port of 127.0.0.1.
 * @param {Link} link
 */
export async function startSlowLink({ roundTripMs, downBytesPerSecond, upBytesPerSecond }) {
  const down = new Lane(downBytesPerSecond, roundTripMs / 2);
  const up = new Lane(upBytesPerSecond, roundTripMs / 2);
  // No packet waits for the acknowledgement of the former one, because a network does not know connections. Otherwise the proxy's own
  // system would delay the second packet of each file by up to 40 ms.
  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => client.destroy());
    client.once('data', () => {
      client.write(Buffer.from([5, 0]));
      client.once('data', (request) => {
        const { host, port } = target(request);
        const peer = connect({ host, port, family: 4, noDelay: true });
        peer.on('error', () => client.destroy());
        peer.once('connect', async () => {
          // The three-way handshake of a real connection.
          await until(performance.now() + roundTripMs);
          client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          up.carry(client, peer);
          down.carry(peer, client);
        });
      });
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the slow link has no port');
  return { proxy: `socks5://127.0.0.1:${address.port}`, stop: () => server.close() };
}

/** The target of a SOCKS request (RFC 1928, section 4). @param {Buffer} request */
function target(request) {
  const named = request[3] === 3;
  const length = named ? (request[4] ?? 0) : 4;
  const start = named ? 5 : 4;
  const host = named ? request.toString('latin1', start, start + length) : Array.from(request.subarray(start, start + length)).join('.');
  return { host, port: request.readUInt16BE(start + length) };
}
