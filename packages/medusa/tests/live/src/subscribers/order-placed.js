// @ts-check
/** Says when there is an order, so that a test can wait for it. */

module.exports = {
  /** @param {{ event: { data: { id: string } } }} placed */
  default: async ({ event }) => console.log(`order placed: ${event.data.id}`),
  config: { event: 'order.placed' },
};
