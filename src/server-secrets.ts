import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.js';
import type { Secrets } from './secrets/secrets.js';

/**
 * The configured secrets. Where none is, one that is made at the first start and kept beside the data; it is accepted on,
 * once another is configured.
 */
export function readServerSecrets({ serverSecret, previousServerSecret, dataDirectory }: Config): Secrets {
  const path = join(dataDirectory, 'server-secret');
  const previous = previousServerSecret === undefined ? [] : [previousServerSecret];
  if (serverSecret === undefined && !existsSync(path))
    writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600 });
  const own = existsSync(path) ? [readFileSync(path, 'utf8').trim()] : [];
  const [current, ...others] = [...(serverSecret === undefined ? [] : [serverSecret]), ...own, ...previous];
  if (current === undefined) throw new Error('There is a secret: one was made.');
  return [current, ...others];
}
