/** @import { Report } from '../../../generated/types.gen.js' */
import { h, link } from '../assets/dom.js';
import { capital, day, figure, table, usd, words } from './figures.js';

/**
 * The report's evidence: matched county records, and signs of a motivated seller, with links.
 * @param {Report} report
 */
export function drawEvidence({ signals, auctions, scoring, state_notices: notices }) {
  return h(
    'section',
    { 'aria-labelledby': 'evidence' },
    h('h2', { id: 'evidence' }, 'Evidence'),
    signals.length === 0 ? h('p', {}, 'No tax debt matches the property.') : taxDebts(signals),
    auctions.length === 0 ? h('p', {}, 'No sheriff sale matches the property.') : sales(auctions),
    scoring.motivation_signals.length === 0
      ? h('p', {}, 'No sign of a motivated seller.')
      : table(
          'Signs of a motivated seller',
          ['Sign', 'Evidence', 'Seen', 'Source'],
          scoring.motivation_signals.map(({ code, evidence, observed_at: at, source_url: url, absent }) => [
            capital(words(code)),
            evidence,
            day(at),
            url === null ? figure(url, String, absent, 'source_url') : link(url, 'source'),
          ]),
        ),
    notices.map((notice) => h('p', { class: 'notice' }, notice)),
  );
}

/** @param {Report['signals']} signals */
function taxDebts(signals) {
  return table(
    'Matched tax debts',
    ['County', 'Parcel', 'Owed#', 'Years#', 'Match', 'Last seen', 'Record'],
    signals.map((signal) => [
      signal.county,
      signal.parcel_id,
      usd(signal.amount),
      figure(signal.years_owed, String, signal.absent, 'years_owed'),
      `${words(signal.match_type)}, ${signal.confidence}`,
      day(signal.last_seen),
      link(signal.source_url, 'public record'),
    ]),
  );
}

/** @param {Report['auctions']} auctions */
function sales(auctions) {
  return table(
    'Matched sheriff sales',
    ['County', 'Sale', 'State', 'Opening bid#', 'Appraised#', 'Case', 'Match', 'Record'],
    auctions.map((auction) => [
      auction.county,
      day(auction.sale_date),
      words(auction.sale_status),
      figure(auction.opening_bid, usd, auction.absent, 'opening_bid'),
      figure(auction.appraised_value, usd, auction.absent, 'appraised_value'),
      figure(auction.case_number, String, auction.absent, 'case_number'),
      `${words(auction.match_type)}, ${auction.confidence}`,
      link(auction.source_url, 'official page'),
    ]),
  );
}
