import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { OperatorError } from '../errors.js';

/** Environment variables by name. */
export type EnvironmentValues = Readonly<Record<string, string | undefined>>;

/** How a process was started, as far as its variables do not tell. */
export interface Launch {
  /** Somebody sits at a terminal, at least at one end of it. */
  readonly onTerminal: boolean;
  /** Where `.env` was looked for, and the names in it: undefined where there is none. */
  readonly envFile?: { readonly path: string; readonly names: readonly string[] | undefined };
}

/**
 * The environment of this process, with a `.env` file in the working directory beneath it, and how it was started.
 *
 * @throws OperatorError when the file is there and cannot be read
 */
export function readEnvironment(): { readonly values: EnvironmentValues; readonly launch: Launch } {
  const path = resolve('.env');
  const names = readNames(path);
  if (names !== undefined) process.loadEnvFile(path);
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY;
  return { values: process.env, launch: { onTerminal, envFile: { path, names } } };
}

function readNames(path: string): readonly string[] | undefined {
  try {
    return Object.keys(parseEnv(readFileSync(path, 'utf8')));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT') return undefined;
    throw new OperatorError(`${path} cannot be read (${code}). Let the user of this process read it, or remove it.`);
  }
}
