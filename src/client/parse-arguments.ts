import { parseArgs } from 'node:util';
import { defaultMaxPriceAtomic } from './assert-affordable.js';
import { parseUsd } from './usd.js';

/** What the command line asks for. */
export interface BuyArguments {
  /** Path and query, as they stand. */
  readonly path: string;
  /** The server, where a whole address was given. */
  readonly origin: string | undefined;
  readonly format: 'table' | 'json' | 'csv';
  readonly all: boolean;
  readonly dryRun: boolean;
  readonly maxPriceAtomic: bigint;
}

/** The command line cannot be understood; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reads the command line. @throws UsageError */
export function parseArguments(args: readonly string[]): BuyArguments | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [target, ...others] = positionals;
  if (target === undefined) throw new UsageError('Say what to buy, such as "/api/deals?state=OH".');
  if (others.length > 0) throw new UsageError(`One path at a time; "${others[0]}" is a second one. Quote the path.`);
  const [, origin, path] = /^(https?:\/\/[^/?#]+)?(.*)$/s.exec(target) ?? [];
  if (path === undefined || !path.startsWith('/'))
    throw new UsageError(`A path starts with a slash, such as "/api/deals"; "${target}" does not.`);
  if (values.json && values.csv) throw new UsageError('Choose --json or --csv, not both.');
  const maxPriceAtomic = values.max === undefined ? defaultMaxPriceAtomic : parseUsd(values.max);
  if (maxPriceAtomic === undefined) throw new UsageError(`--max takes dollars, such as 0.50, not "${values.max}".`);
  return {
    path,
    origin,
    format: values.json ? 'json' : values.csv ? 'csv' : 'table',
    all: values.all,
    dryRun: values['dry-run'],
    maxPriceAtomic,
  };
}

function parse(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: flag,
        csv: flag,
        all: flag,
        'dry-run': flag,
        help: { ...flag, short: 'h' },
        max: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments cannot be read.');
  }
}
