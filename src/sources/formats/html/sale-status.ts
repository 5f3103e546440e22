import { type SaleStatus, openStatuses } from '../../../counties/auctions/auction.js';

/**
 * Meanings of sheriffs' wording; the first matching pattern decides. Unknown wording is `unknown`, never a guess.
 * `no_bid` is a sale that was held without result, for lack of bids or of the bidder. RealAuction writes "Bankuptcy"
 * beside "Bankruptcy".
 */
const meanings: readonly (readonly [RegExp, SaleStatus])[] = [
  [/\bno (bids?|sale|bidders?)\b|\b(un|(not|never) (been )?)sold\b|\bpassed\b|\bbidder walked away\b/i, 'no_bid'],
  [/\bcancel/i, 'cancelled'],
  [
    /\badjourn|\bpostpone|\bcontinu(ed|ance)\b|\bre-?scheduled to|\bto be re-?scheduled|\bon hold\b|\babeyance/i,
    'adjourned',
  ],
  [/\bbankr?up|\bbk\b|\bstay(ed)?\b/i, 'withdrawn'],
  [/\bwithdr[ae]w|\bdiscontinu|\bvacat|\bredeem|\bsettled|\brecalled|\bdismissed|\bpaid\b/i, 'withdrawn'],
  [/\breinstated (loan|mortgage)|\b(loan|mortgage) reinstated/i, 'withdrawn'],
  [/\b(?<!\bbe )sold\b|purchased|\bbuy ?back|\bstruck\b|\bthird party|\b3rd party/i, 'sold'],
  [/\b(re-?)?schedul|\bauction starts|\bwaiting|\breinstated|\bactive\b|\bpending|\bbe sold\b/i, 'scheduled'],
];

/** "Not yet scheduled", "never redeemed", "not to be sold": such words carry no status, but "not sold" does. */
const denied = /\b(?:not|never|no longer) (?!(?:been )?sold\b)(?:(?:yet|to|be|been) ){0,3}\w+/gi;

const gone = 'lifted|vacated|dismissed|denied|dissolved|released|removed|terminated|discharged|closed|expired';
const which = '(?:the )?(?:automatic |bankruptcy )?';
const obstacle = '(?:bankr?uptcy|bk|chapter \\d+|stay|injunction|restraining order|tro|appeal|hold)';
const between = '(?: - stay| stay| hold| case| petition| order| of sale| was| is| has been){0,3}';
/** A lifted or denied obstacle no longer counts; an obstacle with denied relief still does. */
const lifted = new RegExp(
  [
    `\\b(?:motion (?:for|to) )?(?:relief from ${which}stay|lift ${which}stay|stay relief)(?: was| has been)? granted\\b`,
    `\\b(?:order )?(?:lifting|lifted|vacating|terminating|grant(?:ing|ed) relief from) ${which}stay\\b`,
    `\\b(?:dismissal|discharge|termination|lifting) of ${which}${obstacle}\\b`,
    `\\b(?<!\\b(?:from|lift|vacate) ${which})${obstacle}${between} (?:${gone})\\b(?: - bankr?uptcy$)?`,
  ].join('|'),
  'gi',
);

/** The status from a source's wording; wording about only a lifted obstacle means scheduled. */
export function readSaleStatus(text: string): SaleStatus {
  const said = text.replace(denied, ' ');
  const standing = said.replace(lifted, ' ');
  const found = meanings.find(([pattern]) => pattern.test(standing))?.[1];
  return found ?? (standing === said ? 'unknown' : 'scheduled');
}

/**
 * The list that shows a sale, on a site with several: upcoming sales; closed ones whose day is over, sold or not; those
 * closed before their day is over.
 */
export type SaleList = 'to_come' | 'over' | 'closed_early';

/**
 * The status from a source's wording and, if that is open, from the list.
 * - An upcoming sale without wording is scheduled.
 * - A closed sale is never upcoming, whatever its wording: without more it is canceled, or `unknown` once its day is
 *   over.
 */
export function readListedStatus(text: string, list: SaleList): SaleStatus {
  const status = readSaleStatus(text);
  if (list === 'to_come') return text === '' ? 'scheduled' : status;
  if (!openStatuses.has(status)) return status;
  if (list === 'closed_early') return 'cancelled';
  return status === 'scheduled' ? 'unknown' : status;
}
