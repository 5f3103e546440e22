import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../project-file.js';
import type { Config } from './config.js';
import type { Secrets } from '../secrets/secrets.js';

/**
 * The configured secrets. Without one, generates one at the first start and stores it beside the data, whose directory
 * is made if it is missing; it stays accepted after another is configured.
 */
export function readServerSecrets({ serverSecret, previousServerSecret, dataDirectory }: Config): Secrets {
  makeDirectory(dataDirectory, 0o700);
  const path = join(dataDirectory, 'server-secret');
  const previous = previousServerSecret === undefined ? [] : [previousServerSecret];
  const readOwn = (): string => readFileSync(path, 'utf8').trim();
  if (serverSecret !== undefined) return [serverSecret, ...(existsSync(path) ? [readOwn()] : []), ...previous];
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600 });
  return [readOwn(), ...previous];
}
