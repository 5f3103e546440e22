/** @import { Report } from '../../../generated/types.gen.js' */
import { h } from '../assets/dom.js';
import { capital } from './figures.js';
import { doubtWords } from './verdict.js';

const reliability = {
  ok: undefined,
  proxy_out_of_range: 'The price per unit is too high for HUD rents: do not trust the HUD side of this deal.',
  unknown: 'Rent, units or price is absent: there is nothing to check the claim with.',
};

/**
 * What to check before an offer: what the service doubts of this listing, and what could not be read of it.
 * @param {Report} report
 */
export function drawDoubts({ deal }) {
  const trust = reliability[deal.underwrite_reliability];
  const doubts = deal.data_quality.map((flag) => `${capital(doubtWords(flag))}.`);
  const all = trust === undefined ? doubts : [trust, ...doubts];
  return h(
    'section',
    { 'aria-labelledby': 'check' },
    h('h2', { id: 'check' }, 'Check first'),
    all.length === 0
      ? h('p', {}, 'Nothing stands out: price, units, income and address of this listing agree with each other.')
      : h('ul', { class: 'doubts' }, ...all.map((doubt) => h('li', {}, doubt))),
  );
}
