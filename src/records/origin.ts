import { valueOf } from '../absence.js';
import type { Deal } from '../deals/deal.js';
import type { AllColumns } from '../feeds/query/feed-kind.js';
import type { Origin } from '../feeds/takedowns.js';

/** The origin of a county record. */
export function originOfRecord({ sourceNames }: { readonly sourceNames: readonly string[] }): Pick<Origin, 'sources'> {
  return { sources: [...new Set(sourceNames)].sort().join(' ') };
}

/** The origin of a deal or its lead: all sources of its listing, rent and county records. */
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
