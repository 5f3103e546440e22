import { parseArgs } from 'node:util';
import { UsageError } from '../buyer-environment.js';
import { generalOptions, optionOf, verbOperations } from './verbs.js';

/** A command line, split. */
export interface Words {
  readonly words: readonly string[];
  /** Values by the names of their options, dashes left off; that of a switch is `true`. */
  readonly given: ReadonlyMap<string, string>;
}

/** A switch takes no value, a truth may have one after an equals sign, a text always has one. */
type Kind = 'switch' | 'truth' | 'text';

/** Every option of any verb. The same name is never of two kinds. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...verbOperations.flatMap(({ parameters }) =>
    parameters.map((each) => [optionOf(each), each.type === 'boolean' ? 'truth' : 'text'] as const),
  ),
  ...Object.entries(generalOptions).map(([name, option]) => [name, 'value' in option ? 'text' : 'switch'] as const),
]);

/**
 * Splits a command line into words and options, wherever they stand. An option may be spelled as the contract has the
 * parameter. Whether it is one of the verb is for the caller to say.
 *
 * @throws UsageError where a value is missing, too much, or given twice
 */
export function readWords(args: readonly string[]): Words {
  const options = Object.fromEntries(
    [...kinds].map(([name, kind]) => {
      const type: 'string' | 'boolean' = kind === 'text' ? 'string' : 'boolean';
      return [name, { type, ...(name === 'help' && { short: 'h' }) }];
    }),
  );
  const { tokens } = parseArgs({ args: args.map(respell), options, strict: false, tokens: true });
  const words: string[] = [];
  const given = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (given.has(name)) throw new UsageError(`${rawName} is given twice.`);
    const kind = kinds.get(name);
    if (kind === 'text' && (value === undefined || (value.startsWith('--') && inlineValue === false)))
      throw new UsageError(`${rawName} takes a value.`);
    if (kind === 'switch' && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    given.set(name, value ?? 'true');
  }
  return { words, given };
}

function respell(arg: string): string {
  return arg.replace(/^--[a-z_]+(?==|$)/, (name) => name.replaceAll('_', '-'));
}
