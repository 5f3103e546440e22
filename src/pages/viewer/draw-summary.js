/** @import { Report } from '../../../generated/types.gen.js' */
import { h, link, svg } from '../assets/dom.js';
import { capital, day, figure, moment, percent, times, words } from './figures.js';
import { drawPrices } from './draw-prices.js';
import { verdictOf } from './verdict.js';

/**
 * What the report comes to: the property, the verdict, the prices, and the key figures.
 * @param {Report} report
 */
export function drawSummary(report) {
  const { deal, market, generated_at: at } = report;
  const { absent } = deal;
  const facts = [
    ['Claimed cap', figure(deal.cap_rate, percent, absent, 'cap_rate')],
    ['Cap on HUD rents', figure(deal.cap_rate_underwritten, percent, absent, 'cap_rate_underwritten')],
    ['DSCR', figure(deal.dscr, times, absent, 'dscr')],
    ['Units', figure(deal.units, String, absent, 'units')],
    ['Built', figure(deal.year_built, String, absent, 'year_built')],
    ['Days listed', String(deal.days_on_feed)],
    ['Confidence', `${deal.confidence_score} of 1`],
    ['Last seen', day(deal.last_verified)],
  ];
  const paths = /** @type {const} */ (['rental', 'wholesale', 'creative']);
  const place = `${deal.city}, ${deal.state} ${deal.zip ?? ''}`.trim();
  return h(
    'section',
    { class: 'summary', 'aria-labelledby': 'deal' },
    deal.provenance.data_class === 'demonstration'
      ? h('p', { class: 'notice' }, h('b', {}, 'A fictional property. '), 'This report comes from a demonstration.')
      : undefined,
    h(
      'div',
      { class: 'headline' },
      h(
        'div',
        {},
        h('h1', { id: 'deal' }, deal.address ?? 'Address not shown'),
        h('p', { class: 'place' }, [place, market.metro === null ? undefined : ` · ${market.metro} metro`]),
      ),
      scoreRing(deal.deal_score),
    ),
    h('p', { class: 'verdict' }, h('b', {}, verdictOf(report))),
    drawPrices(report),
    h(
      'p',
      { class: 'paths' },
      ...paths.map((path) => {
        const status = deal.rationales[path].status;
        return h('span', { class: `chip ${status.toLowerCase()}` }, `${capital(path)}: ${status}`);
      }),
    ),
    h('dl', { class: 'figures' }, ...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
    h(
      'p',
      { class: 'hint' },
      `${deal.property_type === null ? '' : `${capital(words(deal.property_type))}. `}`,
      link(deal.listing_url, 'The listing'),
      ` at ${deal.source}. Computed `,
      moment(at),
      '.',
    ),
  );
}

/** @param {number} score 0 to 100 */
function scoreRing(score) {
  const length = 2 * Math.PI * 42;
  return svg(
    'svg',
    { class: 'ring', viewBox: '0 0 100 100', role: 'img', 'aria-label': `Deal score ${score} of 100` },
    svg('circle', { class: 'track', cx: '50', cy: '50', r: '42' }),
    svg('circle', {
      class: 'share',
      cx: '50',
      cy: '50',
      r: '42',
      'stroke-dasharray': `${((length * score) / 100).toFixed(1)} ${length.toFixed(1)}`,
      transform: 'rotate(-90 50 50)',
    }),
    svg('text', { x: '50', y: '56', 'text-anchor': 'middle', class: 'big' }, score),
    svg('text', { x: '50', y: '71', 'text-anchor': 'middle' }, 'score'),
  );
}
