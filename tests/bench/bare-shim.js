// @ts-check
// The smallest script that shows a form in a frame of the gateway: Payframe is compared with it. The frame has the size of Payframe's
// from the beginning, because the time of painting depends on the size: in a frame of the browser's default 300 by 150 pixels
// less than half of the form would be painted when its card number counts as typable.

class BareForm extends HTMLElement {
  connectedCallback() {
    const gateway = this.getAttribute('gateway') ?? '';
    const frame = document.createElement('iframe');
    frame.title = 'Card payment';
    frame.width = '100%';
    frame.height = '404';
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
