import { isKnown } from '../absence.js';
import { parcelKey } from '../places/addresses/parcel.js';
import type { AuctionReader } from '../counties/auctions/auction-reader.js';
import type { FindTakenBack } from '../feeds/feed-publisher.js';
import type { FeedPublishers } from './open-feed-publishers.js';
import type { ListingReader } from '../listings/listing-reader.js';
import { type LocatedRecord, placeOf } from '../counties/matches/property-place.js';
import type { ReportInputsReader } from '../deals/reports/report-inputs-reader.js';
import type { SignalReader } from '../counties/signals/signal-reader.js';
import type { EndedSourceReader, RecordTable } from '../sources/ended-source-reader.js';

export interface TakenBackPorts {
  readonly listings: Pick<ListingReader, 'readSome'>;
  readonly signals: Pick<SignalReader, 'readByIds'>;
  readonly auctions: Pick<AuctionReader, 'readByIds'>;
  readonly reportInputs: Pick<ReportInputsReader, 'readMatched' | 'readRentSources'>;
  readonly ended: Pick<EndedSourceReader, 'findTheirs' | 'findListed' | 'findEnded'>;
  readonly now: () => Date;
}

type Ids = readonly string[];

/** A record that is offered now. */
interface Offered {
  readonly id: string;
  /** The key of the parcel at which a roll may have given it an address that it has no more. */
  readonly unplaced?: string | undefined;
  /** The same of an assessed value. */
  readonly unvalued?: string | undefined;
}

/**
 * Finds what must not be shown any more among published records, by feed: what is not offered now, as a suppressed
 * property is not, and what a source shows whose licence has ended or been narrowed since, also where another source
 * has taken over: the record may still have the word of the former. So it may of a parcel roll that has ended, where it
 * has no address or no assessed value now. A deal tells of the county records that it was published with, and of the
 * rent that it was underwritten with, and so does the lead that it is: where one of them must not be shown, neither
 * must they, until they are published without it.
 */
export function createFindTakenBack(ports: TakenBackPorts): { readonly [Feed in keyof FeedPublishers]: FindTakenBack } {
  const { listings, signals, auctions, reportInputs, ended, now } = ports;
  const offered: Readonly<Record<RecordTable, (ids: Ids) => Promise<readonly Offered[]>>> = {
    listings: async (ids) => {
      const found: Offered[] = [];
      for await (const chunk of listings.readSome(ids))
        found.push(...chunk.flatMap(({ id, listing }) => (listing === undefined ? [] : { id })));
      return found;
    },
    signals: async (ids) =>
      (await signals.readByIds(ids)).map((signal) =>
        isKnown(signal.assessedValue)
          ? toOffered(signal)
          : { ...toOffered(signal), unvalued: parcelKey(signal.countyFips, signal.parcelId) },
      ),
    auctions: async (ids) => (await auctions.readByIds(ids)).map(toOffered),
  };
  const among =
    (...tables: readonly RecordTable[]): FindTakenBack =>
    async (ids, { completeAsOf }) => {
      const when = { since: completeAsOf, now: now() };
      const found: Offered[] = [];
      for (const table of tables) found.push(...(await offered[table](ids)));
      const unplaced = found.flatMap((each) => each.unplaced ?? []);
      const unvalued = found.flatMap((each) => each.unvalued ?? []);
      const listed = await ended.findListed({ unplaced, unvalued }, when);
      const isTold = ({ unplaced = '', unvalued = '' }: Offered) => listed.has(unplaced) || listed.has(unvalued);
      const shown = new Set(found.flatMap((each) => (isTold(each) ? [] : each.id)));
      for (const table of tables) for (const id of await ended.findTheirs(table, ids, when)) shown.delete(id);
      return new Set(ids.filter((id) => !shown.has(id)));
    };
  const countyRecords = among('signals', 'auctions');
  const toldOf =
    (itself: FindTakenBack): FindTakenBack =>
    async (ids, what) => {
      const takenBack = await itself(ids, what);
      const matched = await reportInputs.readMatched(ids);
      const rented = await reportInputs.readRentSources(ids);
      const recordIds = [...new Set(matched.map(({ recordId }) => recordId))];
      const gone = recordIds.length === 0 ? nothing : await countyRecords(recordIds, what);
      const sources = [...new Set(rented.map(({ source }) => source))];
      const over = await ended.findEnded(sources, { since: what.completeAsOf, now: now() });
      return new Set([
        ...takenBack,
        ...matched.flatMap(({ dealId, recordId }) => (gone.has(recordId) ? dealId : [])),
        ...rented.flatMap(({ dealId, source }) => (over.has(source) ? dealId : [])),
      ]);
    };
  return {
    deals: toldOf(among('listings')),
    signals: among('signals'),
    auctions: among('auctions'),
    // A lead has the id of what it is made of.
    leads: toldOf(among('listings', 'signals', 'auctions')),
  };
}

const nothing: ReadonlySet<string> = new Set();

function toOffered(record: LocatedRecord & { readonly id: string }): Offered {
  const { id, address } = record;
  return isKnown(address) ? { id } : { id, unplaced: placeOf(record).parcel };
}
