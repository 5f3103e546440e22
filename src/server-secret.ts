import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.js';

/** The configured secret; in demonstration, one that is made at the first start and kept beside the data. */
export function readServerSecret(config: Config): string {
  if (config.serverSecret !== undefined) return config.serverSecret;
  const path = join(config.dataDirectory, 'server-secret');
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFileSync(path, 'utf8').trim();
}
