/** A merchant's program, for the compiler alone: what is right compiles, and each wrong line is an error. */

import { money, Payframe, PayframeError, verifyNotification } from '@payframe/server';
import { newOrder, readInput, step } from '@payframe/server/order-keeper';
import type { KeptOrder } from '@payframe/server/order-keeper';
import type { Dispute, DisputeFile, ErrorKind, Notice, Notification, Operation, Order, Session } from '@payframe/server';

const payframe = new Payframe({ apiKey: 'k', gateway: 'https://gateway.example', timeoutMs: 10_000, maxRetries: 1 });
// @ts-expect-error: the gateway is needed
new Payframe({ apiKey: 'k' });
// @ts-expect-error: no such option
new Payframe({ apiKey: 'k', gateway: 'https://gateway.example', retries: 1 });

const sum = money(3545, 'EUR');
const session: Session = await payframe.sessions.create({
  merchantUrl: 'https://shop.example',
  order: { orderId: 'A1', ...sum, customerInfo: { cardHolderEmail: 'anna@example.com' } },
  paymentSession: { amount: sum.amount, paymentService: 'CARDS', resultUrl: 'https://shop.example/ok', cancelUrl: 'https://shop.example/ko' },
  form: { closing: 'FRAME', attempts: 3 },
});
const html: string | undefined = session.form?.html;

// @ts-expect-error: the order is missing
await payframe.sessions.create({ merchantUrl: 'https://shop.example', paymentSession: { amount: '1', resultUrl: '', cancelUrl: '' } });
// @ts-expect-error: sums are text
await payframe.operations.refund('1', { amount: 35.45 });
// @ts-expect-error: no such state
await payframe.links.list({ status: 'OPEN' });

const order: Order = await payframe.orders.read('A1', { signal: AbortSignal.timeout(1000) });
const word: 'PAID' | string = order.orderStatus.status;
for await (const event of payframe.events.since('42-554ccc00')) {
  if (event.eventType === 'ORDER_FULFILMENT') {
    const state: 'NONE' | 'PARTIAL' | 'FULFILLED' | 'CANCELED' | 'RETURNED' = event.fulfilment.state;
    console.log(event.cursor, state);
    continue;
  }
  if (event.eventType === 'TERMINAL_ATTACK') {
    const state: 'BEGUN' | 'ENDED' = event.attack.state;
    console.log(event.attack.terminalId, state);
    continue;
  }
  if (event.eventType === 'REFUND_APPROVAL') {
    const state: 'ASKED' | 'APPROVED' | 'DECLINED' | 'NOT_POSSIBLE' = event.refundApproval.state;
    console.log(event.refundApproval.orderId, state);
    continue;
  }
  if (event.eventType === 'DISPUTE') {
    const state: 'NEEDS_RESPONSE' | 'UNDER_REVIEW' | 'WON' | 'LOST' | 'ACCEPTED' | 'EXPIRED' = event.dispute.state;
    console.log(event.dispute.disputeId, state);
    continue;
  }
  if (event.eventType === 'PAGE_CHANGE') {
    const { terminalId, added, changed, removed }: { terminalId: string; added: number; changed: number; removed: number } = event.pageChange;
    console.log(terminalId, added + changed + removed);
    continue;
  }
  const notification: Notification = event.notification;
  console.log(event.cursor, notification.operation.orderId, word);
}
// @ts-expect-error: no such state of goods
await payframe.orders.tellFulfilment('A1', { state: 'SHIPPED' });
// @ts-expect-error: no such status
if (order.orderStatus.status === 'OPEN') console.log(word);
const operation: Operation | undefined = order.operations[0];
await payframe.operations.capture(operation?.operationId ?? '', sum, { idempotencyKey: 'capture of A1' });

try {
  const event: Notification | Notice = await verifyNotification({ headers: new Headers(), body: '', secrets: ['whsec_'] });
  // @ts-expect-error: not every event is about money
  console.log(event.operation.orderId);
  if (event.operation) {
    const type: 'PAYMENT' | 'PAY_BY_LINK' | 'OPERATION' = event.eventType;
    console.log(type, event.operation.orderId, html);
  }
} catch (error) {
  if (!(error instanceof PayframeError)) throw error;
  const kind: ErrorKind = error.kind;
  // @ts-expect-error: errors do not change
  error.code = 'x';
  console.log(kind, error.status, error.requestId, error.outcomeUnknown);
}

for await (const dispute of payframe.disputes.all({ state: 'NEEDS_RESPONSE' })) {
  const file: DisputeFile = await payframe.disputes.addFile(dispute.disputeId, { name: 'note.pdf', content: new Uint8Array() });
  const content: Uint8Array = (await payframe.disputes.readFile(file.fileId)).content;
  const answered: Dispute = await payframe.disputes.submitEvidence(dispute.disputeId, { delivery: 'by hand' }, { idempotencyKey: 'answer to 1' });
  console.log(content.length, answered.evidence?.submittedTime);
}
// @ts-expect-error: no such state
await payframe.disputes.list({ state: 'OPEN' });
// @ts-expect-error: a content is bytes
await payframe.disputes.addFile('d', { name: 'note.pdf', content: '%PDF-' });
// @ts-expect-error: no such text
await payframe.disputes.submitEvidence('d', { proof: 'none' });
// @ts-expect-error: the operation is missing
await payframe.testDisputes.open({ kind: 'INQUIRY' });
// @ts-expect-error: no such result
await payframe.testDisputes.decide('d', 'DRAWN');
for await (const line of payframe.settlements.lines('347074400000000001')) {
  const sum: string = line.grossAmount;
  console.log(sum, line.difference);
}

let kept: KeptOrder = newOrder(3545);
const { order: after, outputs } = step(kept, readInput(1, order, 'EUR'));
kept = after;
for (const output of outputs) {
  if (output.type === 'GIVE_BACK') console.log(output.operation, output.amount);
  // @ts-expect-error: no such output
  if (output.type === 'CANCEL') console.log(output);
}
// @ts-expect-error: the ticket is missing
step(kept, { type: 'READ_FAILED' });
