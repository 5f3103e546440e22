/** @import { MarketMeasure, PricePoint, Report } from '../../../generated/types.gen.js' */
import { h, svg } from './dom.js';
import { capital, figure, moment, percent, points, table, usd, words } from './figures.js';

/**
 * The observed prices, and the deal's rank within its metro.
 * @param {Report} report
 */
export function drawMarket({ market, price_history: prices }) {
  return h(
    'section',
    { 'aria-labelledby': 'market' },
    h('h2', { id: 'market' }, 'Market and price history'),
    h(
      'div',
      { class: 'columns' },
      h(
        'div',
        {},
        h('h3', {}, 'Among the deals of ', figure(market.metro, String, market.absent, 'metro')),
        market.measures.length === 0
          ? h('p', {}, 'There is no metro to compare with.')
          : table(
              `Rank among ${market.deals ?? 0} deals`,
              ['Measure', 'This deal#', 'Median#', 'Percentile#'],
              market.measures.map(standing),
            ),
      ),
      h('div', {}, h('h3', {}, 'Observed asking prices'), priceLine(prices), priceTable(prices)),
    ),
  );
}

/** @param {MarketMeasure} measure */
function standing({ measure, unit, value, median, percentile, absent }) {
  const show = unit === 'usd' ? usd : unit === 'percent' ? percent : points;
  return [
    capital(words(measure)),
    figure(value, show, absent, 'value'),
    figure(median, show, absent, 'median'),
    percentile === null
      ? figure(percentile, String, absent, 'percentile')
      : [
          svg(
            'svg',
            { class: 'plot small', width: '72', height: '10', 'aria-hidden': 'true' },
            svg('rect', { class: 'track', width: '100%', height: '10', rx: '5' }),
            svg('circle', { class: 'hud', cx: `${(7 + Number(percentile) * 0.86).toFixed(1)}%`, cy: '5', r: '5' }),
          ),
          ` ${percentile}`,
        ],
  ];
}

/** @param {readonly PricePoint[]} prices */
function priceLine(prices) {
  if (prices.length < 2) return undefined;
  const times = prices.map(({ observed_at: at }) => Date.parse(at));
  const values = prices.map(({ price }) => Number(price));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (/** @type {number} */ time) => (first === last ? 50 : ((time - first) / (last - first)) * 100);
  const y = (/** @type {number} */ value) => (least === most ? 20 : 36 - ((value - least) / (most - least)) * 32);
  // A price holds until the next observation.
  const steps = values.map((value, index) => {
    const level = y(value).toFixed(1);
    return `${index === 0 ? 'M' : 'H'}${x(times[index] ?? first).toFixed(1)}${index === 0 ? ` ${level}` : `V${level}`}`;
  });
  return svg(
    'svg',
    {
      class: 'plot history',
      viewBox: '0 0 100 40',
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': `Asking price from ${usd(prices[0]?.price ?? '0')} to ${usd(prices.at(-1)?.price ?? '0')}`,
    },
    svg('path', { d: steps.join(''), 'vector-effect': 'non-scaling-stroke' }),
  );
}

/** @param {readonly PricePoint[]} prices */
function priceTable(prices) {
  if (prices.length === 0) return h('p', {}, 'No price observed yet.');
  return table(
    'Asking prices',
    ['Seen', 'Source', 'Event', 'Price#', 'Change#'],
    prices.map(({ observed_at: at, source, event, price, change_pct: change, absent }) => [
      moment(at.slice(0, 10)),
      source,
      event ?? 'seen again',
      usd(price),
      figure(change, percent, absent, 'change_pct'),
    ]),
  );
}
