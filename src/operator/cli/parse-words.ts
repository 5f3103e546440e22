import { parseArgs, type ParseArgsConfig } from 'node:util';

type Parsed<Options extends NonNullable<ParseArgsConfig['options']>> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>
>;

/** Parses words and options, in any order; undefined where an option is unknown or lacks its value. */
export function parseWords<const Options extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: Options,
): Parsed<Options> | undefined {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch {
    return undefined;
  }
}

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
