import { h } from '../assets/dom.js';
import { fileLink } from '../assets/file-link.js';
import { loadBuying } from './load-buying.js';
import { isReport, type BoughtItem } from './purchases.js';

/** What this browser bought, newest first: to open, download or delete. Draws nothing on a page without its place. */
export async function showPurchases(onOpen: (item: BoughtItem) => void): Promise<void> {
  const place = document.querySelector<HTMLElement>('#purchases');
  // Who has never paid loads no client for it.
  if (place === null || localStorage.getItem('x402-payments') === null) return;
  const { deleteItem, listItems, renderCsv } = await loadBuying();
  const items = await listItems().catch(() => []);
  place.querySelectorAll('.purchase').forEach((row) => row.remove());
  place.append(
    ...items.map((item) => {
      const onDelete = () => void deleteItem(item.paymentId).then(() => showPurchases(onOpen));
      return purchase(item, renderCsv, { onOpen: () => onOpen(item), onDelete });
    }),
  );
  place.hidden = items.length === 0;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

interface Acts {
  readonly onOpen: () => void;
  readonly onDelete: () => void;
}

function purchase(item: BoughtItem, renderCsv: (rows: Rows) => string, acts: Acts): HTMLElement {
  const { title, priceUsd, boughtAt, paymentId, body, receipt } = item;
  const isPage = isReport(item);
  const remove = h('button', { type: 'button', class: 'button quiet' }, 'Delete');
  remove.addEventListener('click', acts.onDelete);
  const open = h('button', { type: 'button', class: 'button' }, 'Open');
  open.addEventListener('click', acts.onOpen);
  const day = new Date(boughtAt).toLocaleDateString('en-US', { day: 'numeric', month: 'short', year: 'numeric' });
  return h(
    'div',
    { class: 'purchase' },
    h('p', {}, h('b', {}, title), ` · $${priceUsd} · ${day}`),
    h(
      'p',
      { class: 'actions' },
      isPage ? h('a', { class: 'button', href: `/report#${paymentId}` }, 'Open') : open,
      fileLink('JSON', body, 'application/json', 'bought.json'),
      isPage ? undefined : csvLink(body, renderCsv),
      receipt === null ? undefined : fileLink('Receipt', receipt, 'text/plain', 'receipt.txt'),
      remove,
    ),
  );
}

function csvLink(body: string, renderCsv: (rows: Rows) => string): HTMLElement | undefined {
  try {
    const rows = JSON.parse(body) as unknown;
    return Array.isArray(rows) ? fileLink('CSV', renderCsv(rows as Rows), 'text/csv', 'bought.csv') : undefined;
  } catch {
    return undefined;
  }
}
