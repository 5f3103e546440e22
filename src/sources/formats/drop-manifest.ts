import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { displayFieldsOf } from '../display-fields.js';
import { table } from './county-table.js';
import { mappableFields } from './listing-fields.js';
import { recordFields, saleFields } from './record-mapping.js';
import { SourceError } from '../source-error.js';
import type { DeliveryKind } from '../source.js';
import { coversSchema } from '../stated-coverage.js';
import { oneLine, sourceName, statedLicence } from '../stated-licence.js';
import { isObject } from '../upstream/get-json.js';

const maxManifestBytes = 256 * 1024;

export const fileFormats = ['csv', 'json', 'ndjson', 'xlsx'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** What every manifest says. */
const common = {
  name: sourceName,
  format: z.enum(fileFormats),
  file: oneLine(200).regex(/^[^/\\.][^/\\]*$/, 'must be a file name in the same folder; * stands for any characters'),
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  demonstration: z.boolean(),
};
const licenceOf = (delivers: DeliveryKind) =>
  statedLicence.extend({ displayFields: z.array(z.enum(displayFieldsOf(delivers))).optional() });

const listingSchema = z.strictObject({
  ...common,
  delivers: z.literal('listings'),
  marketplace: oneLine(120),
  covers: coversSchema.optional(),
  licence: licenceOf('listings'),
  mapping: z
    .partialRecord(z.enum(mappableFields), z.string().min(1).max(200))
    .refine((mapping) => mapping.sourceKey !== undefined, 'must name the column of sourceKey')
    .refine((mapping) => mapping.city !== undefined, 'must name the column of city')
    .refine((mapping) => mapping.state !== undefined, 'must name the column of state'),
  values: z.partialRecord(z.enum(mappableFields), z.record(z.string(), z.string())).optional(),
});

/** A county's records, in the words of the sources over HTTP. */
const countySchemas = [
  z
    .strictObject({ ...common, delivers: z.literal('signals'), licence: licenceOf('signals'), ...table(recordFields) })
    .refine(({ columns }) => columns.ownerName !== undefined, {
      message: 'must name a column: every signal has it',
      path: ['columns', 'ownerName'],
    })
    .refine(({ columns }) => columns.amount !== undefined, {
      message: 'must name a column: every signal has it',
      path: ['columns', 'amount'],
    }),
  z.strictObject({ ...common, delivers: z.literal('parcels'), licence: statedLicence, ...table(recordFields) }),
  z
    .strictObject({ ...common, delivers: z.literal('auctions'), licence: licenceOf('auctions'), ...table(saleFields) })
    .refine(({ columns }) => columns.saleDate !== undefined, {
      message: 'must name a column: every sale has a day',
      path: ['columns', 'saleDate'],
    }),
] as const;

const manifestSchema = z
  .preprocess(
    (value) => (isObject(value) && value.delivers === undefined ? { ...value, delivers: 'listings' } : value),
    z.discriminatedUnion('delivers', [listingSchema, ...countySchemas]),
  )
  .refine((manifest) => manifest.demonstration === (manifest.licence.class === 'demonstration'), {
    message: 'must be true for the licence class demonstration, and only then',
    path: ['demonstration'],
  })
  .refine((manifest) => manifest.delimiter === undefined || manifest.format === 'csv', {
    message: 'applies to the format csv only',
    path: ['delimiter'],
  });

/** The contents of a delivery's `manifest.json`: the owner of the rows, their licence, and how to read them. */
export type Manifest = z.infer<typeof manifestSchema>;
/** A manifest of listings; the default without `delivers`. */
export type DropManifest = Omit<z.infer<typeof listingSchema>, 'delivers'> & { readonly delivers?: 'listings' };
/** A manifest of county records. */
export type CountyManifest = z.infer<(typeof countySchemas)[number]>;

/**
 * Reads and validates `manifest.json` of a delivery folder. Unknown entries are faults too, so that a misspelled one is
 * not ignored.
 *
 * @throws SourceError `manifest_invalid`, naming each fault
 */
export async function readDropManifest(directory: string): Promise<Manifest> {
  const parsed = manifestSchema.safeParse(await readManifestJson(directory));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'manifest'}: ${issue.message}`);
  throw new SourceError(
    'manifest_invalid',
    `manifest.json is not valid (${faults.join('; ')}). Correct it and load again.`,
  );
}

/**
 * The contents of a folder's `manifest.json`, not validated.
 *
 * @throws SourceError `manifest_invalid` when it is missing, too large or not JSON
 */
export async function readManifestJson(directory: string): Promise<unknown> {
  const path = join(directory, 'manifest.json');
  const status = await lstat(path).catch(() => undefined);
  if (status === undefined || !status.isFile()) {
    throw new SourceError(
      'manifest_invalid',
      'The folder has no manifest.json. Add one that states licence, format and mapping.',
    );
  }
  if (status.size > maxManifestBytes) {
    throw new SourceError(
      'manifest_invalid',
      'manifest.json is larger than 256 kB. Deliver rows in data files, not in the manifest.',
    );
  }
  const text = await readFile(path, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceError('manifest_invalid', 'manifest.json is not JSON. Check it with a JSON tool and load again.');
  }
}
