import { subdivisionWords } from './tables/words.js';
import type { Agreement } from './compare-addresses.js';
import type { NormalizedAddress } from './normalized-address.js';
import { parseDigits } from './parse/parse-house-number.js';

/** The street addresses that an address names besides its own. */
export function otherStreetsOf({ beyond = [] }: NormalizedAddress): string[] {
  return beyond.filter((part) => parseDigits(part) !== undefined);
}

/**
 * Compares the subdivisions of two addresses: `conflict` when both state the same kind of part, such as the lot,
 * differently. A name that only one of them has may or may not apply to the other.
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

/** The kind of a part with only a name: a neighborhood as well as an urbanization. */
const named = '';
/** A part of a subdivision written among units: `LOT 5`, `APT 2 SECTION 5`. */
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
