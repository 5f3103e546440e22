import { foldPlace } from '../feeds/feed-kind.js';
import { createCountyMatch } from '../feeds/place-match.js';
import { countyLabel } from '../metros/county-label.js';
import { metros } from '../metros/metros.js';

const covered = metros.map(({ countyFips, state }) => foldPlace(countyLabel(countyFips, state)));

/** True when the text is part of no county label: neither of a record's nor of a covered metro's core county. */
export function isCountyOutside(county: string, labels: ReadonlySet<string>): boolean {
  return ![...labels, ...covered].some(createCountyMatch(county));
}
