import { valueOf } from '../absence.js';
import type { Deal } from '../deals/deal.js';
import type { AllColumns } from '../feeds/query/feed-kind.js';
import type { Origin } from '../feeds/takedowns.js';

/** What a county record is made of. */
export function originOfRecord({ sourceNames }: { readonly sourceNames: readonly string[] }): Pick<Origin, 'sources'> {
  return { sources: [...new Set(sourceNames)].sort().join(' ') };
}

/** What a deal, or the lead that it is, is made of: every source of its listing, its rent and its county records. */
export function originOfDeal({ listing, underwriting, matches }: Deal): Omit<AllColumns<Origin>, 'id'> {
  const matched = [...matches.signals, ...matches.auctions];
  const rentSource = valueOf(underwriting.rent)?.source;
  const sourceNames = [
    listing.sourceName,
    ...listing.otherWords.map(({ sourceName }) => sourceName),
    ...(rentSource === undefined ? [] : [rentSource]),
    ...matched.flatMap((record) => record.sourceNames),
  ];
  return {
    ...originOfRecord({ sourceNames }),
    matched: matched.length === 0 ? undefined : matched.map(({ id }) => id).join(' '),
  };
}
