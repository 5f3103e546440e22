import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { OperatorError } from '../errors.js';

/** Environment variables by name. */
export type EnvironmentValues = Readonly<Record<string, string | undefined>>;

/** How the process was started, beyond its environment. */
export interface Launch {
  /** True when standard input or output is a terminal. */
  readonly onTerminal: boolean;
  /** Default: the present. */
  readonly now?: Date;
  /** Path at which `.env` was looked for, and the names in it; `names` is undefined without a file. */
  readonly envFile?: { readonly path: string; readonly names: readonly string[] | undefined };
}

/**
 * The environment of this process, over the `.env` file of the working directory, and how it was started.
 *
 * @throws OperatorError when the file exists but cannot be read
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
