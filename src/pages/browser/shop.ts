import { h } from '../assets/dom.js';
import { showOpenPayments } from '../assets/open-payments.js';
import type { BuyOptions, Purse } from './buy.js';
import type * as demoWallet from './demo-wallet.js';
import { loadBuying } from './load-buying.js';
import { drawBought } from './draw-bought.js';
import { followFilters } from './follow-filters.js';
import { isReport, type BoughtItem } from './purchases.js';
import { showPurchases } from './your-purchases.js';

// Loaded when it is wanted: most readers do not buy.
const demoUrl = '/assets/demo-wallet.js';
const load = loadBuying;

const result = document.querySelector<HTMLElement>('#bought');

// The button is drawn again with each preview.
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('#buy, .buy') : null;
  if (button !== null) void openDialog(button);
});
showOpenPayments((bought) => {
  if (result !== null) void drawHere(bought, false);
});
const open = (item: BoughtItem) => void drawHere(item, document.querySelector('#buy[data-local=true]') !== null);
void showPurchases(open);
followFilters();

async function openDialog(from: HTMLButtonElement): Promise<void> {
  const { path = '', title = '', price = '' } = from.dataset;
  const isLocal = from.dataset['local'] === 'true';
  from.setAttribute('aria-busy', 'true');
  const buying = await load();
  const wallets = await buying.findWallets();
  from.removeAttribute('aria-busy');
  const told = h('p', { role: 'status', class: 'told' });
  const choices = h('div', { class: 'choices' });
  const close = h('button', { type: 'button', class: 'button quiet' }, 'Close');
  const heading = h('h2', { id: 'pay-title' }, `${title}, $${price}`);
  const dialog = h('dialog', { class: 'pay', 'aria-labelledby': 'pay-title' }, heading, told, choices, close);
  const box = dialog as HTMLDialogElement;
  const tell = teller(told);
  close.addEventListener('click', () => box.close());
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();

  const offer = (...nodes: readonly (HTMLElement | undefined)[]) => {
    choices.replaceChildren(...nodes.filter((node) => node !== undefined));
    choices.querySelector('button')?.focus();
  };

  async function pay(purse: Purse, isUnkept = false): Promise<void> {
    offer();
    try {
      const bought = await buying.buy({ path, title, price }, { purse, tell, confirm, isUnkept });
      box.close();
      await showBought(bought, isLocal);
    } catch (error) {
      const { text, again, copy } = buying.messageOf(error);
      tell(text);
      const retry =
        again &&
        choice(again, () =>
          again === 'Change the caps'
            ? changeCaps(purse)
            : again === 'Pay anyway'
              ? askTwice(purse)
              : void pay(purse, isUnkept),
        );
      const copied = copy && choice('Copy the address', () => void navigator.clipboard.writeText(copy), 'button quiet');
      offer(retry || undefined, copied || undefined, choice('Another way to pay', choosePurse, 'button quiet'));
    }
  }

  function askTwice(purse: Purse): void {
    tell('If the reply is lost on its way, it is paid and gone. Pay without keeping it?');
    offer(
      choice('Yes, pay without keeping it', () => void pay(purse, true)),
      choice('No', choosePurse, 'button quiet'),
    );
  }

  const confirm: BuyOptions['confirm'] = ({ price: asked, payTo }, network, spent) =>
    new Promise((resolve) => {
      const { perDay } = buying.readCaps();
      const changed = Number(asked) === Number(price) ? '' : `The price has changed from $${price}. `;
      tell(
        `${changed}$${asked} to ${payTo.slice(0, 6)}…${payTo.slice(-4)} on ${network.label}. Spent in 24 hours: $${spent} of $${perDay}.`,
      );
      box.addEventListener('close', () => resolve(false), { once: true });
      offer(choice(`Pay $${asked}`, () => (offer(), resolve(true))));
    });

  function changeCaps(purse: Purse): void {
    const caps = buying.readCaps();
    const perCall = h('input', { value: caps.perCall, inputmode: 'decimal' }) as HTMLInputElement;
    const perDay = h('input', { value: caps.perDay, inputmode: 'decimal' }) as HTMLInputElement;
    const save = choice('Keep these caps', () => {
      if (buying.keepCaps({ perCall: perCall.value, perDay: perDay.value })) void pay(purse);
      else tell('Dollars such as 5.00.');
    });
    offer(
      h('label', { class: 'field' }, 'Most for one call, $', perCall),
      h('label', { class: 'field' }, 'Most in 24 hours, $', perDay),
      save,
    );
  }

  function choosePurse(): void {
    const none = wallets.length === 0 && !isLocal;
    tell(
      none
        ? 'This browser has no wallet. Nothing was charged. Install a wallet that holds USDC, or run this request with the command below.'
        : 'Nothing is paid before you confirm it.',
    );
    offer(
      ...wallets.map((wallet) => {
        const made = choice(`Pay with ${wallet.name}`, () => void pay({ wallet }));
        if (wallet.icon !== undefined) made.prepend(h('img', { src: wallet.icon, alt: '', width: '20', height: '20' }));
        return made;
      }),
      isLocal ? choice('Pay with play money', () => void play()) : undefined,
    );
  }
  async function play(): Promise<void> {
    const { demonstrationAccount } = (await import(demoUrl)) as typeof demoWallet;
    await pay({ account: demonstrationAccount() });
  }
  // One way to pay is no choice; nothing is signed before it is confirmed.
  if (wallets.length === 0 && isLocal) void play();
  else choosePurse();
}

/** A report is opened on its page, anything else is drawn here. */
async function showBought(bought: BoughtItem, isLocal: boolean): Promise<void> {
  const { findItem } = await load();
  const isKept = (await findItem(bought.paymentId).catch(() => undefined)) !== undefined;
  if (isKept && isReport(bought)) return location.assign(`/report#${bought.paymentId}`);
  await drawHere(bought, isLocal);
}

async function drawHere(bought: BoughtItem, isLocal: boolean): Promise<void> {
  if (result !== null) drawBought(result, bought, await load(), isLocal);
  void showPurchases(open);
}

function choice(label: string, act: () => void, kind = 'button'): HTMLElement {
  const made = h('button', { type: 'button', class: kind }, label);
  made.addEventListener('click', act);
  return made;
}

/** Shows texts; the seconds of a wait are counted down. */
function teller(told: HTMLElement): (text: string) => void {
  let counting: ReturnType<typeof setInterval> | undefined;
  return (text) => {
    clearInterval(counting);
    told.textContent = text;
    const [, before = '', seconds = '0', after = ''] = /^(.* wait )(\d+)( s\..*)$/.exec(text) ?? [];
    let left = Number(seconds);
    const count = () => {
      left -= 1;
      told.textContent = `${before}${left}${after}`;
      if (left <= 0) clearInterval(counting);
    };
    if (left > 0) counting = setInterval(count, 1_000);
  };
}
