import { subdivisionWords } from './tables/subdivision-words.js';
import type { Agreement } from './compare-addresses.js';
import type { NormalizedAddress } from './normalized-address.js';
import { parseDigits } from './parse/parse-house-number.js';

/** The street addresses that an address names beside its own. */
export function otherStreetsOf({ beyond = [] }: NormalizedAddress): string[] {
  return beyond.filter((part) => parseDigits(part) !== undefined);
}

/**
 * How the subdivisions of two addresses compare: `conflict` where both tell one part of it, such as the lot, and tell
 * it differently; a name that one of them alone has may or may not be of the other's place.
 */
export function compareSubdivisions(a: NormalizedAddress, b: NormalizedAddress): Agreement {
  if (a.beyond === undefined && b.beyond === undefined && a.unit === b.unit) return 'same';
  const [ofA, ofB] = [partsOf(a), partsOf(b)];
  const kinds = [...new Set([...ofA.keys(), ...ofB.keys()])];
  const told = kinds.map((kind) => [kind, ofA.get(kind), ofB.get(kind)] as const);
  if (told.some(([kind, one, other]) => kind !== named && one !== undefined && other !== undefined && one !== other))
    return 'conflict';
  return told.every(([, one, other]) => one === other) ? 'same' : 'missing_on_one';
}

/** The kind of a part that is only named: it may be a quarter as well as an urbanization. */
const named = '';
/** A part of a subdivision that is written among units: `LOT 5`, `APT 2 SECTION 5`. */
const partInUnit = new RegExp(`(?:^| )(${[...subdivisionWords.keys()].join('|')}) (\\S+(?: & \\S+)*)`, 'g');

function partsOf({ beyond = [], unit }: NormalizedAddress): Map<string, string> {
  const parts = new Map<string, string>();
  const inUnit = [...unit.matchAll(partInUnit)].map(
    ([, word = '', value = '']) => `${subdivisionWords.get(word)} ${value}`,
  );
  for (const part of new Set([...beyond, ...inUnit])) {
    if (parseDigits(part) !== undefined) continue;
    const kind = subdivisionWords.get(part.split(' ', 1)[0] ?? '') ?? named;
    parts.set(kind, [parts.get(kind), part].filter(Boolean).join(', '));
  }
  return parts;
}
