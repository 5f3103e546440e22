import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { absent, isKnown, known, type Maybe } from '../../absence.js';
import type { ObservedSignal } from '../../counties/signals/signal.js';
import { digestOf } from '../read/digest-of.js';
import { parseLine } from '../values/text.js';
import { inPages } from '../read/in-pages.js';
import { localDateOf } from '../../places/metros/local-date-of.js';
import { aggregateRoll, type RollAccount, type RollTotals } from './aggregate-roll.js';
import { accessOf, type SourceAccess } from '../source-access.js';
import { SourceError } from '../source-error.js';
import type { RawRow, RowReject, WholeSource } from '../source.js';
import { isObject } from '../upstream/get-json.js';
import { readValidators, type Validators } from '../upstream/upstream.js';

/** Increased when rows are parsed differently, so that an unchanged roll is read again. */
const readerVersion = 2;
const maxRollBytes = 8 * 1024 ** 3;
const deadlineMs = 3 * 3_600_000;

export interface FixedWidthSource extends SourceAccess {
  /** Path of the roll below the base URL, or of a local file. */
  readonly document: { readonly path: string } | { readonly file: string };
  readonly countyFips: string;
  readonly state: string;
  /** City names by the roll's abbreviations, such as `DA`. */
  readonly cities: Readonly<Record<string, string>>;
  /** The county's public web page of the roll. */
  readonly recordUrl: string;
}

/**
 * The tax roll of Dallas County as a source of signals: one per account, over all earlier years and jurisdictions. The
 * roll is read as a stream, and its totals stay in memory until the last page. A year's taxes are delinquent from
 * February 1 of the next year, in the county's calendar. Source: Texas Tax Code section 31.02.
 */
export function createFixedWidthSource(source: FixedWidthSource): WholeSource<'signals'> {
  const { name, licence, now, document, countyFips, state, cities, recordUrl } = source;
  const sourceUrl = 'path' in document ? `${source.baseUrl}/${document.path}` : recordUrl;
  const reading = digestOf([sourceUrl, document, countyFips, state, cities, recordUrl]);

  async function readRoll(currentYear: number, validators: Validators | undefined) {
    if ('file' in document) {
      const status = await stat(document.file).catch(() => undefined);
      if (status?.isFile() !== true) throw missing(name);
      const version: Validators = { etag: `${status.size}-${status.mtimeMs}` };
      if (version.etag === validators?.etag) return { totals: undefined, version };
      return {
        totals: await aggregateRoll(
          createReadStream(document.file, source.signal && { signal: source.signal }),
          currentYear,
        ),
        version,
      };
    }
    const reply = await source.upstream.read(
      {
        ...accessOf(source),
        url: sourceUrl,
        accept: 'text/plain, application/octet-stream',
        maxBytes: maxRollBytes,
        deadlineMs,
        ...(validators !== undefined && { validators }),
      },
      (body) => aggregateRoll(body, currentYear),
    );
    if (reply.status === 304) return { totals: undefined, version: validators };
    return { totals: reply.body, version: readValidators(reply.headers) };
  }

  return {
    name,
    kind: 'fixed-width',
    delivers: 'signals',
    licence,
    async *readPages(knownEtag) {
      const currentYear = currentTaxYear(localDateOf(countyFips, now()));
      const prefix = `${readerVersion}-${reading}-${currentYear}-`;
      const isSame = knownEtag?.startsWith(prefix) === true;
      const { totals, version } = await readRoll(
        currentYear,
        isSame ? readVersion(knownEtag.slice(prefix.length)) : undefined,
      );
      const pageOf = (rows: readonly (RawRow | RowReject)[]) => ({
        rows,
        nextCursor: undefined,
        fetchedAt: now(),
        sourceUrl,
        ...(version !== undefined && { etag: prefix + JSON.stringify(version) }),
      });
      if (totals === undefined) return yield { ...pageOf([]), etag: knownEtag ?? '' };
      if (totals.lines === 0) throw missing(name);
      for await (const rows of inPages(toRows(totals))) yield pageOf(rows);
    },
    parse: (row) => parseAccount(row, source),
  };
}

/** Normalizes the debt of one account, or rejects it without an owner. */
function parseAccount({ key, payload }: RawRow, source: FixedWidthSource): ObservedSignal | RowReject {
  if (!isAccount(payload)) return { reject: 'row_unreadable', key, detail: 'The row is not an account of the roll.' };
  const ownerName = parseLine(payload.owner, 200);
  if (!isKnown(ownerName)) return { reject: 'missing_owner', key, detail: 'owner: a name is expected.' };
  const { countyFips, state, recordUrl } = source;
  const unpublished = absent('not_published_by_source');
  return {
    sourceKey: key,
    signalType: 'tax_delinquent',
    countyFips,
    state,
    ...placeOf(payload, source.cities),
    zip: unpublished,
    ownerName: ownerName.value,
    parcelId: payload.account,
    amount: payload.amount,
    sourceUrl: recordUrl,
    yearsOwed: known(payload.years.length),
    taxSaleDate: unpublished,
    assessedValue: unpublished,
    sourcePublishedAt: unpublished,
    listYear: unpublished,
  };
}

/** The latest tax year that is not delinquent yet, on a day of the county's calendar. */
function currentTaxYear(day: string): number {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return month < 2 ? year - 1 : year;
}

function placeOf({ streetNumber, street }: RollAccount, cities: Readonly<Record<string, string>>) {
  const [name = '', code = ''] = street.split(',').map((part) => part.trim());
  const city: Maybe<string> =
    code === ''
      ? absent('not_stated_by_source')
      : Object.hasOwn(cities, code)
        ? known(cities[code] ?? '')
        : absent('parse_failed');
  const isPlaced = name !== '' && /[1-9]/.test(streetNumber);
  return { address: isPlaced ? parseLine(`${streetNumber} ${name}`, 200) : absent('no_situs_address'), city };
}

function* toRows({ accounts, faults }: RollTotals): Generator<RawRow | RowReject> {
  for (const payload of accounts) yield { key: payload.account, payload };
  for (const line of faults)
    yield { reject: 'row_unreadable', key: `line ${line}`, detail: 'The line does not match the layout of the roll.' };
}

function isAccount(payload: unknown): payload is RollAccount {
  return isObject(payload) && typeof payload.account === 'string' && Array.isArray(payload.years);
}

function readVersion(text: string): Validators | undefined {
  const version: unknown = JSON.parse(text);
  return isObject(version) ? (version as Validators) : undefined;
}

function missing(name: string): SourceError {
  return new SourceError(
    'delivery_missing',
    `The roll of ${name} is missing or empty. Correct its path in the configuration.`,
  );
}
