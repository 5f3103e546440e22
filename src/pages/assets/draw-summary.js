/** @import { Report } from '../../../generated/types.gen.js' */
import { h, link, svg } from './dom.js';
import { verdictOf } from './draw-offer.js';
import { capital, figure, moment, percent, times, usd, words } from './figures.js';

/**
 * The key facts of the deal.
 * @param {Report} report
 */
export function drawSummary(report) {
  const { deal, market, generated_at: at, feed_version: version } = report;
  const { absent } = deal;
  const facts = [
    ['Asking price', figure(deal.list_price, usd, absent, 'list_price')],
    ['Units', figure(deal.units, String, absent, 'units')],
    ['Claimed cap', figure(deal.cap_rate, percent, absent, 'cap_rate')],
    ['HUD cap', figure(deal.cap_rate_underwritten, percent, absent, 'cap_rate_underwritten')],
    ['DSCR', figure(deal.dscr, times, absent, 'dscr')],
    ['Built', figure(deal.year_built, String, absent, 'year_built')],
    ['Days on feed', String(deal.days_on_feed)],
    ['Last verified', moment(deal.last_verified)],
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
        h('h2', { id: 'deal' }, deal.address ?? 'Address not shown'),
        h('p', { class: 'place' }, [place, market.metro === null ? undefined : ` · ${market.metro} metro`]),
        h('p', { class: 'verdict' }, h('b', {}, verdictOf(report))),
        h('p', { class: 'why' }, deal.why_this_is_interesting),
        h(
          'p',
          { class: 'paths' },
          ...paths.map((path) => {
            const status = deal.rationales[path].status;
            return h('span', { class: `chip ${status.toLowerCase()}` }, `${capital(path)}: ${status}`);
          }),
          deal.data_quality.map((flag) => h('span', { class: 'chip late' }, capital(words(flag)))),
        ),
        h('p', {}, link(deal.listing_url, 'The listing'), ` at ${deal.source}`),
      ),
      scoreRing(deal.deal_score),
    ),
    h('dl', { class: 'figures' }, ...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
    h('p', { class: 'hint' }, 'Made of version ', String(version), ' of the feed, ', moment(at), '.'),
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
    svg('text', { x: '50', y: '57', 'text-anchor': 'middle', class: 'big' }, score),
    svg('text', { x: '50', y: '72', 'text-anchor': 'middle' }, 'of 100'),
  );
}
