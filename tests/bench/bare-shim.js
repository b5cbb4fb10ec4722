// @ts-check
// The least that shows a form in a frame of the gateway: what Payframe is measured against.

class BareForm extends HTMLElement {
  connectedCallback() {
    const gateway = this.getAttribute('gateway') ?? '';
    const frame = document.createElement('iframe');
    frame.title = 'Card payment';
    frame.src = `${gateway}/assets/bench-form.html?shop=${encodeURIComponent(location.origin)}`;
    addEventListener('message', ({ origin, source, data }) => {
      if (origin !== gateway || source !== frame.contentWindow || data?.bare !== 'ready') return;
      frame.height = data.height;
      this.dispatchEvent(new CustomEvent('ready'));
    });
    this.append(frame);
  }
}
customElements.define('bare-form', BareForm);
