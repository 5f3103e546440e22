/** @import { MarketMeasure, PricePoint, Report } from '../../../generated/types.gen.js' */
import { h } from '../assets/dom.js';
import { rankLine, steps } from './charts.js';
import { capital, day, figure, percent, table, usd, words } from './figures.js';

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
          : [
              h('p', { class: 'hint' }, `Its rank from 0 to 100 among ${market.deals ?? 0} deals.`),
              market.measures.map(standing),
            ],
      ),
      h('div', {}, h('h3', {}, 'Observed asking prices'), priceSteps(prices), priceTable(prices)),
    ),
  );
}

/** @param {MarketMeasure} measure */
function standing({ measure, unit, value, median, percentile, absent }) {
  const show = unit === 'usd' ? usd : unit === 'percent' ? percent : plainPoints;
  const drawn =
    percentile === null || value === null
      ? h('p', {}, figure(/** @type {null} */ (null), String, absent, percentile === null ? 'percentile' : 'value'))
      : rankLine(percentile, show(value), median === null ? null : show(median));
  const rank = percentile === null ? undefined : h('span', { class: 'hint' }, ` percentile ${percentile}`);
  return h('div', { class: 'standing' }, h('h4', {}, capital(words(measure)), rank), drawn);
}

const plainPoints = (/** @type {string} */ value) => value.replace(/\.00$/, '');

/** @param {readonly PricePoint[]} prices */
function priceSteps(prices) {
  const [only] = prices;
  if (only === undefined) return undefined;
  const isSteady = prices.every(({ price }) => price === only.price);
  if (isSteady) return h('p', {}, `${usd(only.price)} since `, day(only.observed_at), '.');
  const points = prices.map(({ observed_at: at, price }) => ({ at, value: price }));
  return steps(points, usd, day);
}

/** @param {readonly PricePoint[]} prices */
function priceTable(prices) {
  if (prices.length === 0) return h('p', {}, 'No price observed yet.');
  return table(
    'Asking prices',
    ['Seen', 'Source', 'Event', 'Price#', 'Change#'],
    prices.map(({ observed_at: at, source, event, price, change_pct: change, absent }) => [
      day(at),
      source,
      event ?? 'seen again',
      usd(price),
      figure(change, percent, absent, 'change_pct'),
    ]),
  );
}
