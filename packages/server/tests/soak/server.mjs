// @ts-check
/**
 * The shop of `cargo xtask soak --shops`: the example shop of this package with its order keeper, or with the naive orders beside this file. The load
 * program (`load/src/shops`) starts it, kills it and starts it again. It says `open` when it listens.
 *
 * `SHOP_CLOCK` is `since,speed`: the shop's clock shows `since`, in milliseconds since 1970, when the time is `since`, and goes that many times as fast. So the
 * shop's own time limit, and the time between two questions, is short. `SHOP_CALL_MS` limits an attempt of a call. After SIGUSR2 the shop dies right behind
 * one of its next statements.
 */

import { Payframe } from '@payframe/server';
import { Orders } from '../../example/orders.mjs';
import { shop } from '../../example/shop.mjs';
import { NaiveOrders } from './naive-orders.mjs';
import { SlowFile } from './slow-file.mjs';

const setting = (/** @type {string} */ name) => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; cargo xtask soak --shops sets it`);
  return value;
};

const [since = 0, speed = 1] = setting('SHOP_CLOCK').split(',').map(Number);
const now = () => since + (Date.now() - since) * speed;
const gateway = setting('PAYFRAME_GATEWAY');
const payframe = new Payframe({ gateway, apiKey: setting('PAYFRAME_API_KEY'), timeoutMs: Number(setting('SHOP_CALL_MS')) });
const report = (/** @type {unknown} */ problem) => console.error(String(problem));
const file = new SlowFile(setting('SHOP_FILE'));
const options = { payframe, file, report, now };
const orders = setting('SHOP_ORDERS') === 'naive' ? new NaiveOrders(options) : new Orders(options);
const secrets = [setting('PAYFRAME_NOTIFICATION_SECRET')];
const server = shop({ payframe, gateway, secrets, origin: setting('SHOP_ORIGIN'), orders, report });
process.on('SIGUSR2', () => file.dieSoon());
server.listen(Number(setting('SHOP_PORT')), '127.0.0.1', () => {
  console.log('open');
  orders.work(WAKE_MS);
});

/** More often than once a second: the shop's clock is fast. */
const WAKE_MS = 50;
