import { dotRadius } from '../../wire/dot-radius.js';
import { dash, day, dollars, percent, times } from '../../wire/figures.js';
import { h } from '../assets/dom.js';

export type Row = Readonly<Record<string, unknown>>;

/** The columns of the feeds, by worth; a record shows those that it has. */
const columns: Readonly<Record<string, { readonly label: string; readonly show?: (text: string) => string }>> = {
  list_price: { label: 'Price', show: dollars },
  amount: { label: 'Owed', show: dollars },
  sale_date: { label: 'Sale', show: day },
  appraised_value: { label: 'Appraised', show: dollars },
  opening_bid: { label: 'Opening bid', show: dollars },
  lead_score: { label: 'Score' },
  units: { label: 'Units' },
  cap_rate: { label: 'Cap rate', show: percent },
  cap_rate_underwritten: { label: 'On HUD rents', show: percent },
  dscr: { label: 'DSCR', show: times },
  deal_score: { label: 'Score' },
  rental_status: { label: 'Rental' },
};
const mostRows = 200;

const placeOf = (row: Row) =>
  [row['address'] ?? row['property_address'], row['city'] ?? row['county'], row['state']].filter(Boolean).join(', ');

/** A bought list: a table or cards, in any order; its counties on the map of the page, where it has one. */
export function drawList(rows: readonly Row[], isLocal: boolean): HTMLElement {
  const shown = Object.keys(columns).filter((name) => rows.some((row) => isThere(row[name])));
  const body = h('tbody');
  const fill = (sorted: readonly Row[]) =>
    body.replaceChildren(...sorted.slice(0, mostRows).map((row) => drawRow(row, shown, isLocal)));
  fill(rows);
  const more = rows.length > mostRows ? `, the first ${mostRows} here; the files have all` : '';
  const head = [...shown.map((name) => columns[name]?.label), ...(rows.some(isDeal) ? ['More'] : [])];
  const table = h(
    'table',
    { class: 'stacked' },
    h('caption', {}, `${rows.length} records${more}`),
    h('thead', {}, h('tr', {}, ...['Property', ...head].map((label) => h('th', { scope: 'col' }, label)))),
    body,
  );
  dotCounties(rows);
  return h(
    'div',
    { class: 'list' },
    controls(shown, table, (name, isUp) => fill(sortBy(rows, name, isUp))),
    table,
  );
}

function controls(
  shown: readonly string[],
  table: HTMLElement,
  onSort: (name: string, isUp: boolean) => void,
): HTMLElement {
  const orders = shown.flatMap((name) => [
    h('option', { value: `${name} up` }, `${columns[name]?.label ?? name}, lowest first`),
    h('option', { value: `${name} down` }, `${columns[name]?.label ?? name}, highest first`),
  ]);
  const select = h('select', {}, h('option', { value: '' }, 'as bought'), orders) as HTMLSelectElement;
  select.addEventListener('change', () => {
    const [name = '', direction] = select.value.split(' ');
    onSort(name, direction === 'up');
  });
  const view = h('button', { type: 'button', class: 'button quiet view' }, 'Show as cards');
  view.addEventListener('click', () => {
    const areCards = table.classList.toggle('as-cards');
    view.textContent = areCards ? 'Show as a table' : 'Show as cards';
  });
  return h('p', { class: 'actions' }, h('label', { class: 'field' }, 'Sort by', select), view);
}

const isThere = (value: unknown) => value !== undefined && value !== null;
const isDeal = (row: Row) => 'deal_score' in row;

/** Numbers by size, texts by letters; what is absent comes last. An empty name: the order of the reply. */
function sortBy(rows: readonly Row[], name: string, isUp: boolean): readonly Row[] {
  if (name === '') return rows;
  const [there, absent] = [true, false].map((each) => rows.filter((row) => isThere(row[name]) === each));
  const compare = ({ [name]: one }: Row, { [name]: other }: Row) => {
    const difference = Number(one) - Number(other);
    return Number.isNaN(difference) ? String(one).localeCompare(String(other)) : difference;
  };
  const sorted = [...(there ?? [])].sort((one, other) => (isUp ? compare(one, other) : compare(other, one)));
  return [...sorted, ...(absent ?? [])];
}

function drawRow(row: Row, shown: readonly string[], isLocal: boolean): HTMLElement {
  const cells = shown.map((name) => {
    const { label = '', show = String } = columns[name] ?? {};
    return h('td', { 'data-label': label }, isThere(row[name]) ? show(String(row[name])) : dash);
  });
  return h('tr', {}, h('th', { scope: 'row' }, placeOf(row) || 'Address not shown'), cells, report(row, isLocal));
}

function report(row: Row, isLocal: boolean): HTMLElement | undefined {
  if (!isDeal(row)) return undefined;
  const item = {
    'data-path': `/api/deals/${String(row['id'])}/report`,
    'data-title': `Report: ${placeOf(row) || 'address not shown'}`,
    ...{ 'data-price': '1.50', 'data-local': String(isLocal) },
  };
  return h(
    'td',
    { 'data-label': 'Report' },
    h('button', { ...item, type: 'button', class: 'button quiet buy' }, 'Report $1.50'),
  );
}

/** The dots of the page's map show the bought deals, by county. */
function dotCounties(rows: readonly Row[]): void {
  const dots = document.querySelectorAll<SVGCircleElement>('.map [data-county]');
  if (dots.length === 0 || !rows.some(isDeal)) return;
  const counts = new Map<string, number>();
  for (const { county, state } of rows) {
    const place = `${String(county)}, ${String(state)}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  for (const dot of dots) {
    const count = counts.get(dot.dataset['county'] ?? '') ?? 0;
    dot.classList.toggle('empty', count === 0);
    dot.setAttribute('r', String(dotRadius(count / most)));
    const title = dot.querySelector('title');
    if (title !== null) title.textContent = `${dot.dataset['county'] ?? ''}: ${count} of your list`;
  }
}
