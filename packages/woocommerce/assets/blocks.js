// @ts-check
/** The payment method in the checkout of blocks: what buyers read. The form is on the page that follows. */

{
  const { wc, wp } = /** @type {any} */ (window);
  const { decodeEntities } = wp.htmlEntities;
  const { createElement } = wp.element;
  const data = wc.wcSettings.getSetting('payframe_data', {});
  const title = decodeEntities(data.title ?? '');
  const sentence = createElement('p', null, decodeEntities(data.description ?? ''));
  wc.wcBlocksRegistry.registerPaymentMethod({
    name: 'payframe',
    label: createElement('span', null, title),
    ariaLabel: title,
    content: sentence,
    edit: sentence,
    canMakePayment: () => true,
    supports: { features: data.supports ?? ['products'] },
  });
}
