import { z } from 'zod';
import {
  column,
  comment,
  county,
  countyFips,
  isOfState,
  ofState,
  recordUrl,
  stateCode,
  table,
} from '../formats/county-table.js';
import { recordKinds } from '../formats/parse-record-row.js';
import { displayFieldsOf } from '../display-fields.js';
import { recordFields } from '../formats/record-mapping.js';
import type { DeliveryKind } from '../source.js';
import { coversSchema } from '../stated-coverage.js';
import { oneLine, sourceName, statedLicence } from '../stated-licence.js';

const fourByFour = z.string().regex(/^[a-z0-9]{4}-[a-z0-9]{4}$/, 'must be the id of a dataset, such as abcd-1234');
const baseUrl = z
  .string()
  .refine(isPlainUrl, 'must be an http or https address without user, query and fragment')
  .refine(isAllowed, 'is of a marketplace whose terms forbid this; drop files that its owner gives you instead')
  .transform((url) => url.replace(/\/+$/, ''));

/** What every entry says: its name, whether it runs, how it is reached, and what may be done with its rows. */
const common = {
  comment,
  name: sourceName,
  enabled: z.boolean().default(true),
  licence: statedLicence.extend({ comment }),
  /** Name of the environment variable that holds the key. */
  secret: z
    .string()
    .regex(
      /^SOURCE_SECRET_[A-Z0-9_]{1,60}$/,
      'must name an environment variable SOURCE_SECRET_..., never hold the key itself',
    )
    .optional(),
  requestsPerMinute: z.number().min(0.1).max(600).optional(),
  allowPrivate: z.boolean().default(false),
};
const needed = { ...common, secret: common.secret.unwrap() };

const anyEntry = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('reso-odata'),
    ...needed,
    baseUrl,
    marketplace: oneLine(120),
    covers: coversSchema.optional(),
    filter: oneLine(1000)
      .refine(
        isOpenToRemovals,
        'must not name StandardStatus or MlgCanView: what is sold or retired would never arrive',
      )
      .optional(),
    hasCanView: z.boolean().default(true),
  }),
  z.strictObject({
    kind: z.literal('rentcast'),
    ...needed,
    baseUrl: baseUrl.default('https://api.rentcast.io'),
    marketplace: oneLine(120).default('RentCast'),
    covers: coversSchema.optional(),
    places: z.array(z.strictObject({ city: oneLine(80), state: stateCode })).min(1),
  }),
  z.strictObject({
    kind: z.literal('socrata'),
    ...common,
    delivers: z.enum(recordKinds),
    ...table(recordFields),
    baseUrl,
    dataset: fourByFour,
    where: oneLine(1000).optional(),
    join: z
      .strictObject({
        comment,
        dataset: fourByFour,
        key: column,
        pattern: z
          .string()
          .regex(/^[#-]{1,64}$/, 'must be made of # for each digit, and hyphens')
          .optional(),
        columns: z.array(column).min(1).max(20),
        where: oneLine(1000).optional(),
      })
      .optional(),
  }),
  z.strictObject({
    kind: z.literal('arcgis'),
    ...common,
    delivers: z.enum(recordKinds),
    ...table(recordFields),
    baseUrl,
    layer: z.string().regex(/^[\w./-]+\/\d+$/, 'must be the path of a layer, such as services/x/FeatureServer/0'),
    where: oneLine(1000).default('1=1'),
    orderBy: column.default('objectid'),
  }),
  z.strictObject({
    kind: z.literal('fixed-width'),
    ...common,
    county,
    baseUrl: baseUrl.optional(),
    document: z.union([z.strictObject({ path: oneLine(500) }), z.strictObject({ file: oneLine(1000) })]),
    cities: z.record(oneLine(10), oneLine(80)).default({}),
    recordUrl,
  }),
  z.strictObject({
    kind: z.literal('html-table'),
    ...common,
    baseUrl,
    county,
    site: z.enum(['civilview', 'realauction']),
    countyId: z
      .string()
      .regex(/^\d{1,10}$/, "must be the county's number on the site")
      .optional(),
    months: z.int().min(1).max(12).default(2),
  }),
  z.strictObject({
    kind: z.literal('hud-user'),
    ...common,
    baseUrl: baseUrl.default('https://www.huduser.gov/hudapi/public/fmr'),
    counties: z
      .array(z.strictObject({ fips: countyFips, state: stateCode }).refine(isOfState, ofState))
      .min(1)
      .optional(),
    file: oneLine(1000).optional(),
    fiscalYear: z.int().min(2000).max(2100).optional(),
  }),
]);

export const sourceKinds = anyEntry.options.map(({ shape }) => shape.kind.value);

/** One entry, checked and with its defaults. */
export type SourceEntry = z.infer<typeof anyEntry>;

/** One entry of the file of sources. Unknown entries are faults, so that a misspelled one is not ignored. */
export const sourceEntrySchema = anyEntry.superRefine((entry, context) => {
  const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: path.split('.'), message });
  if ('baseUrl' in entry && entry.baseUrl?.startsWith('http:') === true && !entry.allowPrivate)
    fault('baseUrl', 'must be https; http is for a server of your own, with allowPrivate');
  const mayName = displayFieldsOf(deliveredBy(entry));
  const { displayFields } = entry.licence;
  if (displayFields !== undefined && mayName.length === 0)
    fault('licence.displayFields', 'must not be given: what such a source brings is used as a whole');
  else if (displayFields?.every((field) => mayName.includes(field)) === false)
    fault('licence.displayFields', `must be among: ${mayName.join(', ')}`);
  if ('delivers' in entry && entry.delivers === 'signals') {
    for (const field of ['ownerName', 'amount'] as const)
      if (entry.columns[field] === undefined) fault(`columns.${field}`, 'must name a column: every signal has it');
  }
  if (entry.kind === 'fixed-width' && 'path' in entry.document && entry.baseUrl === undefined)
    fault('baseUrl', 'must be given for a document with a path');
  if (entry.kind === 'html-table' && entry.site === 'civilview' && entry.countyId === undefined)
    fault('countyId', "must be given: the county's number on the site");
  if (entry.kind === 'hud-user') {
    if ((entry.file === undefined) === (entry.counties === undefined))
      fault('counties', 'give either counties or a file');
    if (entry.file !== undefined && entry.fiscalYear === undefined)
      fault('fiscalYear', 'must say of which year the file is');
    if (entry.counties !== undefined && entry.secret === undefined)
      fault('secret', "must name the variable of HUD's token");
  }
});

const deliveryOf: Readonly<Record<SourceEntry['kind'], DeliveryKind>> = {
  'reso-odata': 'listings',
  rentcast: 'listings',
  'html-table': 'auctions',
  'fixed-width': 'signals',
  'hud-user': 'rents',
  socrata: 'signals',
  arcgis: 'signals',
};

/** What the source of an entry delivers; of a table that does not say, signals. */
export function deliveredBy({ kind, delivers }: Pick<SourceEntry, 'kind'> & { delivers?: DeliveryKind | undefined }) {
  return delivers ?? deliveryOf[kind];
}

function isPlainUrl(value: string): boolean {
  return /^https?:\/\/[^?#@\s]+$/.test(value) && URL.canParse(value);
}

/** Marketplaces whose terms forbid to read them by program. Source: docs/decisions/sources.md. */
function isAllowed(value: string): boolean {
  return !URL.canParse(value) || !/(^|\.)(loopnet|costar|crexi|realtor|zillow)\.com$/i.test(new URL(value).hostname);
}

/** The source puts both conditions itself, and leaves them out when it asks what has changed. */
function isOpenToRemovals(filter: string): boolean {
  return !/StandardStatus|MlgCanView/i.test(filter);
}
