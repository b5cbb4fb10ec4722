// @ts-check
/** The receiver of notifications. A notification is only a reason to ask the gateway; one that names no order of this shop is answered with 404, so that it comes again. */

import { Controller, HttpCode, HttpException, Inject, Post, Req } from '@nestjs/common';
import { PayframeError, verifyNotification } from '@payframe/server';
import { NOTIFICATIONS } from './options.js';
import { PayframeService, SETTINGS } from './payment-service.js';

/** @import { Settings } from './options.js' */

/** @typedef {import('node:http').IncomingMessage & { payframeBody?: Buffer, _body?: boolean }} RawRequest */

/**
 * Keeps the body as it arrived, because its bytes are signed. It runs before the parsers of the server.
 *
 * @param {RawRequest} request @param {unknown} _response @param {(problem?: unknown) => void} next
 */
export async function keepRawBody(request, _response, next) {
  const chunks = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > LARGEST) break;
      chunks.push(chunk);
    }
  } catch (problem) {
    next(problem);
    return;
  }
  request.payframeBody = size > LARGEST ? Buffer.alloc(0) : Buffer.concat(chunks);
  request._body = true;
  next();
}

export class PayframeNotifications {
  /** @param {PayframeService} service @param {Settings} settings */
  constructor(service, settings) {
    this.service = service;
    this.settings = settings;
  }

  /** @param {RawRequest} request */
  async receive(request) {
    try {
      const { headers, payframeBody: body = Buffer.alloc(0) } = request;
      const { operation } = await verifyNotification({ headers, body, secrets: this.settings.notificationSecrets });
      if (operation) await this.service.notified(operation.orderId);
    } catch (error) {
      throw new HttpException('', statusOf(error));
    }
  }
}

/** @param {unknown} error */
function statusOf(error) {
  if (!(error instanceof PayframeError)) return 500;
  if (error.kind === 'notification') return 400;
  return error.code === 'order_unknown' ? 404 : 503;
}

/** The body of a notification has some kilobytes. */
const LARGEST = 1_000_000;

const { prototype } = PayframeNotifications;
const descriptor = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, 'receive'));
Req()(prototype, 'receive', 0);
for (const decorate of [Post(), HttpCode(204)]) decorate(prototype, 'receive', descriptor);
Controller(NOTIFICATIONS)(PayframeNotifications);
for (const [place, token] of [PayframeService, SETTINGS].entries()) Inject(token)(PayframeNotifications, undefined, place);
