/** @import { BoughtItem } from '../browser/purchases.js' */
import { h } from './dom.js';

const buyUrl = '/assets/buy.js';
/** Clocks differ: so long after its end a payment is not charged any more. */
const slackMs = 60_000;

/**
 * A bar while payments of this browser have an open outcome. It asks nothing of a server until it is pressed, or until
 * they can be charged no more: then it tells by itself what became of them.
 * @param {(item: BoughtItem) => void} [onBought]
 */
export function showOpenPayments(onBought) {
  const open = readOpen();
  if (open.length === 0) return;
  const finish = h('button', { type: 'button', class: 'button quiet' }, 'Finish');
  const count = open.length === 1 ? '1 payment open' : `${open.length} payments open`;
  const words = h('span', { role: 'status' }, `${count}: not known yet whether you paid. You will not pay twice.`);
  document.querySelector('main')?.prepend(h('div', { class: 'open-payment' }, words, finish));
  const end = async () => {
    finish.setAttribute('aria-busy', 'true');
    const { finishOpen, messageOf } = /** @type {typeof import('../browser/buy.js')} */ (await import(buyUrl));
    try {
      const bought = await finishOpen((text) => void (words.textContent = text));
      finish.remove();
      words.replaceChildren(
        ...(bought.length > 0 ? ['Paid, and delivered. ', linkTo(bought)] : ['Nothing was charged.']),
      );
      if (bought[0] !== undefined) onBought?.(bought[0]);
    } catch (error) {
      words.textContent = messageOf(error).text;
    }
    finish.removeAttribute('aria-busy');
  };
  finish.addEventListener('click', () => void end());
  const over = Math.max(...open.map(({ validBefore }) => validBefore)) * 1_000 + slackMs + 1_000;
  setTimeout(() => finish.isConnected && void end(), Math.max(0, over - Date.now()));
}

/** @param {readonly BoughtItem[]} bought */
function linkTo(bought) {
  const [first] = bought;
  return bought.length === 1 && first !== undefined && /\/report$/.test(first.url)
    ? h('a', { href: `/report#${first.paymentId}` }, 'Open the report')
    : h('a', { href: '/deals#purchases' }, 'Your purchases');
}

/** @returns {readonly { readonly header?: string, readonly validBefore: number }[]} */
function readOpen() {
  try {
    /** @type {{ payments: { header?: string, validBefore: number }[] }} */
    const kept = JSON.parse(localStorage.getItem('x402-payments') ?? '{"payments":[]}');
    return kept.payments.filter(({ header }) => header !== undefined);
  } catch {
    return []; // Nothing is kept, or not readably: who pays is told so.
  }
}
