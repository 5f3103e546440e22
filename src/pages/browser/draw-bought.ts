import { h } from '../assets/dom.js';
import { fileLink } from '../assets/file-link.js';
import { drawList, type Row } from './bought-list.js';
import type * as buying from './buy.js';
import { isReport, type BoughtItem } from './purchases.js';

/** Shows what was bought: a list as a table, a report as a link to its page, anything else as a file. */
export function drawBought(
  target: HTMLElement,
  bought: BoughtItem,
  code: Pick<typeof buying, 'renderCsv' | 'addNextPage' | 'messageOf'>,
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
        rows && fileLink('Download CSV', code.renderCsv(rows), 'text/csv', 'bought.csv'),
      ),
      rows && drawList(rows, isLocal),
      bought.next === undefined
        ? undefined
        : nextPage(bought, code, (grown) => drawBought(target, grown, code, isLocal)),
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

/** Fetches the next page of a list when it is wanted. */
function nextPage(
  item: BoughtItem,
  { addNextPage, messageOf }: Pick<typeof buying, 'addNextPage' | 'messageOf'>,
  onGrown: (item: BoughtItem) => void,
): HTMLElement {
  const button = h('button', { type: 'button', class: 'button quiet' }, 'Next page, free');
  const told = h('span', { role: 'status' });
  button.addEventListener('click', () => {
    button.setAttribute('aria-busy', 'true');
    addNextPage(item).then(onGrown, (error: unknown) => {
      button.removeAttribute('aria-busy');
      told.textContent = messageOf(error).text;
    });
  });
  return h('p', { class: 'actions' }, button, told);
}
