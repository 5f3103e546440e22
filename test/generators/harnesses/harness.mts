// Reads each recorded reply into the generated type and writes it again: `harness <manifest> <out>`.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as models from './models/index.js';

const [, , manifest = '', out = ''] = process.argv;
const functions = models as unknown as Record<string, (value: unknown) => unknown>;
for (const line of readFileSync(manifest, 'utf8').trim().split('\n')) {
  const [file = '', name = '', kind] = line.split('\t');
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const again = (each: unknown): unknown => functions[`${name}ToJSON`]!(functions[`${name}FromJSON`]!(each));
  const written = kind === 'any' ? value : kind === 'list' ? (value as unknown[]).map(again) : again(value);
  writeFileSync(join(out, basename(file)), JSON.stringify(written));
}
