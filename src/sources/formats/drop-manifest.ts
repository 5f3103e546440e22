import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { displayFieldsOf } from '../display-fields.js';
import { mappableFields } from './listing-fields.js';
import { SourceError } from '../source-error.js';
import { oneLine, sourceName, statedLicence } from '../stated-licence.js';

const maxManifestBytes = 256 * 1024;
const manifestSchema = z
  .strictObject({
    name: sourceName,
    marketplace: oneLine(120),
    format: z.enum(['csv', 'json', 'ndjson']),
    file: oneLine(200).regex(/^[^/\\.][^/\\]*$/, 'must be a file name in the same folder; * stands for any characters'),
    delimiter: z.enum([',', ';', '\t', '|']).optional(),
    licence: statedLicence.extend({ displayFields: z.array(z.enum(displayFieldsOf('listings'))).optional() }),
    mapping: z
      .partialRecord(z.enum(mappableFields), z.string().min(1).max(200))
      .refine((mapping) => mapping.sourceKey !== undefined, 'must name the column of sourceKey')
      .refine((mapping) => mapping.city !== undefined, 'must name the column of city')
      .refine((mapping) => mapping.state !== undefined, 'must name the column of state'),
    values: z.partialRecord(z.enum(mappableFields), z.record(z.string(), z.string())).optional(),
    demonstration: z.boolean(),
  })
  .refine((manifest) => manifest.demonstration === (manifest.licence.class === 'demonstration'), {
    message: 'must be true for the licence class demonstration, and only then',
    path: ['demonstration'],
  })
  .refine((manifest) => manifest.delimiter === undefined || manifest.format === 'csv', {
    message: 'applies to the format csv only',
    path: ['delimiter'],
  });

/** The contents of a delivery's `manifest.json`: the owner of the rows, their licence, and how to read them. */
export type DropManifest = z.infer<typeof manifestSchema>;

/**
 * Reads and validates `manifest.json` of a delivery folder. Unknown entries are faults too, so that a misspelled one is
 * not ignored.
 *
 * @throws SourceError `manifest_invalid`, naming each fault
 */
export async function readDropManifest(directory: string): Promise<DropManifest> {
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
