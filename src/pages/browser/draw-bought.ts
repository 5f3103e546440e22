import { h } from '../assets/dom.js';
import { fileLink } from '../assets/file-link.js';
import { isReport, type BoughtItem } from './purchases.js';

type Row = Readonly<Record<string, unknown>>;

const usd = (value: unknown) => {
  const [whole = '', cents = ''] = String(value).split('.');
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${/^0*$/.test(cents) ? '' : `.${cents}`}`;
};
const plain = (value: unknown) => String(value);
const percent = (value: unknown) => `${String(value)}%`;

/** The columns of the feeds, by worth; a record shows those that it has. */
const columns: Readonly<Record<string, { readonly label: string; readonly show: (value: unknown) => string }>> = {
  list_price: { label: 'Price', show: usd },
  amount: { label: 'Owed', show: usd },
  sale_date: { label: 'Sale', show: plain },
  appraised_value: { label: 'Appraised', show: usd },
  opening_bid: { label: 'Opening bid', show: usd },
  lead_score: { label: 'Score', show: plain },
  units: { label: 'Units', show: plain },
  cap_rate: { label: 'Cap rate', show: percent },
  cap_rate_underwritten: { label: 'On HUD rents', show: percent },
  dscr: { label: 'DSCR', show: (value) => `${String(value)}x` },
  deal_score: { label: 'Score', show: plain },
  rental_status: { label: 'Rental', show: plain },
};
const mostRows = 200;

/** Shows what was bought: a list as a table, a report as a link to its page, anything else as a file. */
export function drawBought(
  target: HTMLElement,
  bought: BoughtItem,
  renderCsv: (rows: readonly Row[]) => string,
  isLocal: boolean,
): void {
  const heading = h('h2', { tabindex: '-1' }, `Paid: ${bought.title}`);
  const facts = [`$${bought.priceUsd}`, bought.transaction && `transaction ${short(bought.transaction)}`];
  const parts: (HTMLElement | undefined)[] = [
    heading,
    h('p', { class: 'hint' }, facts.filter(Boolean).join(' · '), ` · payment `, h('code', {}, short(bought.paymentId))),
  ];
  try {
    const body = JSON.parse(bought.body) as unknown;
    const rows = Array.isArray(body) ? (body as Row[]) : undefined;
    parts.push(
      h(
        'p',
        { class: 'actions' },
        isReport(bought)
          ? h('a', { class: 'button', href: `/report#${bought.paymentId}` }, 'Open the report')
          : undefined,
        fileLink('Download JSON', bought.body, 'application/json', 'bought.json'),
        rows && fileLink('Download CSV', renderCsv(rows), 'text/csv', 'bought.csv'),
      ),
      rows && table(rows, isLocal),
    );
  } catch {
    parts.push(
      h('p', {}, 'It cannot be drawn here. Payment ', h('code', {}, bought.paymentId)),
      fileLink('Download it as it came', bought.body, 'text/plain', 'bought.txt'),
    );
  }
  // What was bought stands in the place of its offer.
  document.querySelector('.offer:not(#bought, #preview)')?.remove();
  target.replaceChildren(...parts.filter((part) => part !== undefined));
  target.hidden = false;
  heading.focus();
}

const short = (hash: string) => `${hash.slice(0, 10)}…${hash.slice(-4)}`;

function table(rows: readonly Row[], isLocal: boolean): HTMLElement {
  const shown = Object.keys(columns).filter((name) =>
    rows.some((row) => row[name] !== undefined && row[name] !== null),
  );
  const place = (row: Row) =>
    [row['address'] ?? row['property_address'], row['city'] ?? row['county'], row['state']].filter(Boolean).join(', ');
  const isDeal = rows.some((row) => 'deal_score' in row);
  const cell = (row: Row, name: string) => {
    const { label = '', show = plain } = columns[name] ?? {};
    const value = row[name];
    return h('td', { 'data-label': label }, value === undefined || value === null ? '—' : show(value));
  };
  const report = (row: Row) => {
    if (!isDeal) return undefined;
    const item = {
      'data-path': `/api/deals/${String(row['id'])}/report`,
      'data-title': `Report: ${place(row) || 'address not shown'}`,
      ...{ 'data-price': '1.50', 'data-local': String(isLocal) },
    };
    const button = h('button', { ...item, type: 'button', class: 'button quiet buy' }, 'Report $1.50');
    return h('td', { 'data-label': 'Report' }, button);
  };
  return h(
    'table',
    { class: 'stacked' },
    h(
      'caption',
      {},
      `${rows.length} records${rows.length > mostRows ? `, the first ${mostRows} here; the files have all` : ''}`,
    ),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, 'Property'),
        shown.map((name) => h('th', { scope: 'col' }, columns[name]?.label)),
        isDeal ? h('th', { scope: 'col' }, 'More') : undefined,
      ),
    ),
    h(
      'tbody',
      {},
      rows.slice(0, mostRows).map((row) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, place(row) || 'Address not shown'),
          shown.map((name) => cell(row, name)),
          report(row),
        ),
      ),
    ),
  );
}
