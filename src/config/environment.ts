import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { OperatorError } from '../errors.js';
import { readSecretFiles } from './secret-files.js';
import type { EnvironmentValues } from './settings.js';

/** How the process was started, beyond its environment. */
export interface Launch {
  /** True when standard input or output is a terminal. */
  readonly onTerminal: boolean;
  /** Default: the present. */
  readonly now?: Date;
  /** Path at which `.env` was looked for, and the names in it; `names` is undefined without a file. */
  readonly envFile?: EnvFile;
  /** What is wrong with the files of secrets, as sentences. */
  readonly secretFileFaults?: readonly string[];
}

interface EnvFile {
  readonly path: string;
  readonly names: readonly string[] | undefined;
  /** True when users other than its owner and group can read it. */
  readonly isPublic?: boolean;
}

/**
 * The environment of this process, over the `.env` file of the working directory and the files of secrets, and how it
 * was started.
 *
 * @throws OperatorError when the file exists but cannot be read
 */
export function readEnvironment(): { readonly values: EnvironmentValues; readonly launch: Launch } {
  const path = resolve('.env');
  const names = readNames(path);
  if (names !== undefined) process.loadEnvFile(path);
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY;
  const isPublic = names !== undefined && process.platform !== 'win32' && (statSync(path).mode & 0o004) !== 0;
  const secrets = readSecretFiles(process.env);
  return {
    values: { ...process.env, ...secrets.values },
    launch: { onTerminal, envFile: { path, names, isPublic }, secretFileFaults: secrets.faults },
  };
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
