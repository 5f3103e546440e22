import { suggest } from '../../terminal/suggest.js';
import { operationNames } from '../../wire/operation-names.js';
import { requestPath } from '../wire/operation-paths.js';
import { formatDollars, parseUsd } from '../payments/usd.js';
import { UsageError } from '../buyer-environment.js';
import {
  formats,
  type Format,
  helpTopics,
  ownVerbs,
  findVerb,
  optionOf,
  optionsOf,
  type VerbOperation,
} from './verbs.js';
import type { Normalize } from './normalize.js';
import { shells, type Shell } from './completion.js';
import { whichOne } from './last-list.js';
import { readWords, type Words } from './read-words.js';

/** What the command line asks for. */
export type Command =
  | { readonly do: 'help'; readonly verb: string | undefined }
  | { readonly do: 'prices' | 'wallet'; readonly format: Format | undefined }
  | { readonly do: 'version'; readonly format: Format | undefined }
  | { readonly do: 'completion'; readonly shell: Shell }
  | GetCommand;

export interface GetCommand {
  readonly do: 'get';
  /** For people: the verb, or the path. */
  readonly name: string;
  /** Path and query. */
  readonly path: string;
  /** The server, where a whole address was given. */
  readonly origin: string | undefined;
  readonly format: Format | undefined;
  readonly all: boolean;
  /** Every column of a table, however wide. */
  readonly wide: boolean;
  /** Every section of a report. */
  readonly full: boolean;
  /** A report is kept in a file, and its page opened. */
  readonly open: boolean;
  readonly dryRun: boolean;
  /** Dollars, such as "1.50"; undefined where nothing was said. */
  readonly maxPrice: string | undefined;
}

/** Reads the command line. Nothing that is not understood is sent to anybody. @throws UsageError */
export function parseCommand(args: readonly string[], normalize: Normalize = (_, text) => text): Command {
  const read = readWords(args);
  const [first, ...rest] = wholeVerbs(read.words);
  const all = { ...read, words: first === undefined ? [] : [first, ...rest] };
  if (all.given.has('help') || first === 'help') return parseHelp(all.words.filter((word) => word !== 'help'));
  if (first === 'version' || (first === undefined && all.given.has('version')))
    return { do: 'version', format: readFormat(all.given) };
  if (first === undefined) throw new UsageError('Say what to do, such as: deals --state OH');
  if (first === 'wallet') return { do: 'wallet', format: parseOwn(first, rest, all) };
  if (first === 'completion') return { do: 'completion', shell: parseShell(rest) };
  if (first !== 'price') return parseGet(all, normalize);
  return rest.length === 0
    ? { do: 'prices', format: parseOwn(first, rest, all) }
    : { ...parseGet({ ...all, words: rest }, normalize), dryRun: true };
}

/** The words with the verb in full, where it is the beginning of one verb alone. @throws UsageError for several */
function wholeVerbs([first, ...rest]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  if (first === 'help' || first === 'price') return [first, ...wholeVerbs(rest)];
  if (isPath(first) || helpTopics.includes(first)) return [first, ...rest];
  const [only = first, ...others] = helpTopics.filter((topic) => topic.startsWith(first));
  if (others.length > 0) throw new UsageError(`"${first}" may be ${[only, ...others].join(' or ')}. Write more of it.`);
  return [only, ...rest];
}

function parseHelp([verb]: readonly string[]): Command {
  if (verb === undefined || isPath(verb)) return { do: 'help', verb: undefined };
  if (helpTopics.includes(verb)) return { do: 'help', verb };
  throw unknownVerb(verb);
}

function parseShell([shell = '', second]: readonly string[]): Shell {
  const known = shells.find((each) => each === shell);
  if (known === undefined || second !== undefined) throw new UsageError(`Say which shell: ${shells.join(', ')}.`);
  return known;
}

/** Reads what follows a verb that is no operation. */
function parseOwn(verb: string, rest: readonly string[], { given }: Words): Format | undefined {
  assertKnown(verb, given, [...formats, 'no-color']);
  if (rest[0] !== undefined) throw new UsageError(`Nothing follows ${verb}; "${rest[0]}" does.`);
  return readFormat(given);
}

function parseGet({ words, given }: Words, normalize: Normalize): GetCommand {
  const [first = '', ...rest] = words;
  const isBuy = first === 'buy';
  if (isBuy || isPath(first)) return parsePath(isBuy ? rest : words, given);
  if (Object.hasOwn(ownVerbs, first)) throw new UsageError(`${first} buys nothing; it has no price.`);
  const operation = findVerb(first);
  if (operation === undefined) throw unknownVerb(first);
  assertKnown(first, given, [...operation.parameters.map(optionOf), ...optionsOf(operation)]);
  const parameters = readParameters(operation, rest, given, normalize);
  const path = given.has('count')
    ? requestPath('countMatches', { ...parameters, of: operationNames[operation.id] })
    : requestPath(operation.id, parameters);
  return { do: 'get', name: first, path, origin: undefined, ...readGeneral(given) };
}

function parsePath([target, second]: readonly string[], given: Words['given']): GetCommand {
  assertKnown('buy', given, optionsOf());
  if (target === undefined) throw new UsageError('Say what to buy, such as: buy "/api/deals?state=OH"');
  if (second !== undefined) throw new UsageError(`One path at a time; "${second}" is a second one. Quote the path.`);
  const [, origin, pathAndMore] = /^(https?:\/\/[^/?#]+)?(.*)$/s.exec(target) ?? [];
  const path = pathAndMore?.replace(/#.*$/s, '');
  if (path === undefined || !path.startsWith('/'))
    throw new UsageError(`A path starts with a slash, such as "/api/deals"; "${target}" does not.`);
  return { do: 'get', name: path.replace(/\?.*$/s, ''), path, origin, ...readGeneral(given) };
}

/** What is needed comes as words, in the order of the contract, or as options like the rest. */
function readParameters(
  { verb, parameters }: VerbOperation,
  words: readonly string[],
  given: Words['given'],
  normalize: Normalize,
): Readonly<Record<string, string | readonly string[]>> {
  const read: Record<string, string | readonly string[]> = {};
  const left = [...words];
  for (const parameter of parameters) {
    const written = given.get(optionOf(parameter)) ?? (parameter.isRequired ? left.shift() : undefined);
    const value = written === undefined || written.trim() === '' ? written : normalize(parameter, written);
    if (parameter.isRequired && (value === undefined || value.trim() === ''))
      throw new UsageError(
        parameter.name === 'id' ? whichOne : `${verb} needs <${parameter.name}>. ${parameter.description}`,
      );
    if (value !== undefined) read[parameter.name] = parameter.type === 'array' ? value.split(',') : value;
  }
  if (left[0] === undefined) return read;
  const hint = parameters.some(({ isRequired }) => isRequired) ? ' Quote what has spaces.' : '';
  throw new UsageError(`"${left[0]}" is not understood after ${verb}.${hint}`);
}

function readGeneral(given: Words['given']) {
  const max = given.get('max');
  const atomic = max === undefined ? undefined : parseUsd(max);
  if (max !== undefined && atomic === undefined)
    throw new UsageError(`--max takes dollars, such as 0.50, not "${max}".`);
  return {
    format: readFormat(given),
    all: given.has('all'),
    wide: given.has('wide'),
    full: given.has('full'),
    open: given.has('open'),
    dryRun: given.has('dry-run'),
    maxPrice: atomic === undefined ? undefined : formatDollars(atomic),
  };
}

function readFormat(given: Words['given']): Format | undefined {
  const [format, other] = formats.filter((each) => given.has(each));
  if (other !== undefined) throw new UsageError(`Choose --${format} or --${other}, not both.`);
  return format;
}

function assertKnown(verb: string, given: Words['given'], names: readonly string[]): void {
  const unknown = [...given.keys()].find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(`${verb} has no option --${unknown}.${suggest(unknown, names, '--')}`);
}

function isPath(word: string): boolean {
  return word.includes('/');
}

function unknownVerb(verb: string): UsageError {
  return new UsageError(`There is no verb "${verb}".${suggest(verb, helpTopics)}`);
}
