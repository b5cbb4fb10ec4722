// @ts-check
/** What the storefront asks: the form for its order, and how the order stands. */

import { Inject } from '@nestjs/common';
import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { Allow, Ctx, Permission } from '@vendure/core';
import { PayframeError } from '@payframe/server';
import { parse } from 'graphql';
import { PayframeService } from './payment-service.js';

/** @import { RequestContext } from '@vendure/core' */

export const schema = parse(`
  "A form to be shown: <payment-form session>, or html as it is."
  type PayframeForm {
    "The id of the order at the gateway."
    reference: String!
    sessionId: String!
    "Where the script of the form is: /sdk/payframe.js below it."
    gateway: String!
    "The printed form; absent if the form was opened before."
    html: String
  }
  "There is no form now. why: ORDER_STATE, ALREADY_PAID, UNDECIDED, BEING_PAID, GIVING_BACK, NEEDS_PERSON, NOT_FOR_SALE."
  type PayframeNoForm {
    why: String!
  }
  union PayframeFormResult = PayframeForm | PayframeNoForm
  type PayframeState {
    "UNPAID, PAYING, PAID, PARTLY_PAID, GIVING_BACK, REFUNDED, GIVEN_UP or NEEDS_PERSON."
    status: String!
  }
  extend type Mutation {
    "The form for the active order, which has to be in the state ArrangingPayment. Call it again when the sum has changed: an open form gets the new sum."
    payframeForm: PayframeFormResult!
    "To be called when the form says an outcome, and when the buyer comes back. The server asks the gateway, and adds the payment if the money is held."
    payframeReturned(reference: String!): PayframeState!
  }
`);

export class PayframeShopResolver {
  /** @param {PayframeService} service */
  constructor(service) {
    this.service = service;
  }

  /** @param {RequestContext} ctx */
  async payframeForm(ctx) {
    const form = await this.service.form(ctx);
    return { __typename: 'why' in form ? 'PayframeNoForm' : 'PayframeForm', ...form };
  }

  /** @param {string} reference */
  async payframeReturned(reference) {
    try {
      return { status: await this.service.returned(reference) };
    } catch (error) {
      if (error instanceof PayframeError && error.code === 'order_unknown') return { status: 'UNPAID' };
      throw error;
    }
  }
}

/** Calls the decorators of a method as functions. @param {object} prototype @param {string} name @param {MethodDecorator[]} decorators */
function decorated(prototype, name, decorators) {
  const descriptor = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, name));
  for (const decorate of decorators) decorate(prototype, name, descriptor);
}

const { prototype } = PayframeShopResolver;
Ctx()(prototype, 'payframeForm', 0);
decorated(prototype, 'payframeForm', [Mutation(), Allow(Permission.Owner)]);
Args('reference')(prototype, 'payframeReturned', 0);
decorated(prototype, 'payframeReturned', [Mutation(), Allow(Permission.Public)]);
Resolver()(PayframeShopResolver);
Inject(PayframeService)(PayframeShopResolver, undefined, 0);
