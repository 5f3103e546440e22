import { h } from '../assets/dom.js';
import type * as buying from './buy.js';
import type * as demoWallet from './demo-wallet.js';
import { drawBought } from './draw-bought.js';

type Buying = typeof buying;

// Loaded when it is wanted: most readers do not buy.
const [buyUrl, demoUrl] = ['/assets/buy.js', '/assets/demo-wallet.js'];
const load = () => import(buyUrl) as Promise<Buying>;

const button = document.querySelector<HTMLButtonElement>('#buy');
const result = document.querySelector<HTMLElement>('#bought');

button?.addEventListener('click', () => void openDialog(button));
void showOpenPayments();

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
  const tell = (text: string) => void (told.textContent = text);
  close.addEventListener('click', () => box.close());
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();

  const choice = (label: string, act: () => void, kind = 'button') => {
    const made = h('button', { type: 'button', class: kind }, label);
    made.addEventListener('click', act);
    return made;
  };
  const offer = (...nodes: readonly (HTMLElement | undefined)[]) => {
    choices.replaceChildren(...nodes.filter((node) => node !== undefined));
    choices.querySelector('button')?.focus();
  };

  async function pay(purse: Parameters<Buying['buy']>[1]['purse'], isUnkept = false): Promise<void> {
    offer();
    try {
      const bought = await buying.buy({ path, title, price }, { purse, tell, confirm, isUnkept });
      box.close();
      if (result !== null) drawBought(result, bought, buying.renderCsv);
    } catch (error) {
      const { text, again } = buying.messageOf(error);
      tell(text);
      const retry =
        again &&
        choice(again, () =>
          again === 'Change the caps' ? changeCaps(purse) : void pay(purse, again === 'Pay anyway'),
        );
      offer(retry || undefined, choice('Another way to pay', choosePurse, 'button quiet'));
    }
  }

  const confirm: Parameters<Buying['buy']>[1]['confirm'] = ({ price: asked, payTo }, network, spent) =>
    new Promise((resolve) => {
      const { perDay } = buying.readCaps();
      const changed = Number(asked) === Number(price) ? '' : `The price has changed from $${price}. `;
      tell(
        `${changed}$${asked} to ${payTo.slice(0, 6)}…${payTo.slice(-4)} on ${network.label}. Spent in 24 hours: $${spent} of $${perDay}.`,
      );
      box.addEventListener('close', () => resolve(false), { once: true });
      offer(choice(`Pay $${asked}`, () => (offer(), resolve(true))));
    });

  function changeCaps(purse: Parameters<Buying['buy']>[1]['purse']): void {
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
    const play = async () => {
      const { demonstrationAccount } = (await import(demoUrl)) as typeof demoWallet;
      await pay({ account: demonstrationAccount() });
    };
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
  choosePurse();
}

/** A bar while a payment of this browser has an open outcome. It asks nothing of a server until it is pressed. */
async function showOpenPayments(): Promise<void> {
  const kept = localStorage.getItem('x402-payments');
  if (kept === null || !kept.includes('"header"')) return;
  const finish = h('button', { type: 'button', class: 'button quiet' }, 'Finish');
  const words = h('span', { role: 'status' }, '1 payment open: not known yet whether it was charged.');
  const bar = h('div', { class: 'open-payment' }, words, finish);
  document.querySelector('main')?.prepend(bar);
  finish.addEventListener('click', async () => {
    const buying = await load();
    try {
      const bought = await buying.finishOpen((text) => void (words.textContent = text));
      words.textContent = bought.length > 0 ? 'Paid, and delivered.' : 'Nothing was charged.';
      finish.remove();
      const [first] = bought;
      if (first !== undefined && result !== null) drawBought(result, first, buying.renderCsv);
    } catch (error) {
      words.textContent = buying.messageOf(error).text;
    }
  });
}
