import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** Parses words and options, in any order; undefined where an option is unknown or lacks its value. */
export function parseWords<const Options extends ParseArgsOptionsConfig>(
  words: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch {
    return undefined;
  }
}

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
