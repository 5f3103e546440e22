import { explainValue, fitsKind, readingsOf } from '../../wire/parameter-faults.js';
import { stateNames } from '../../wire/state-names.js';
import { readBuyerEnvironment, UsageError } from '../buyer-environment.js';
import { plainText } from '../plain-text.js';
import { describeDeal, findListedDeal, readLastList } from './last-list.js';
import type { Surroundings } from './surroundings.js';
import type { Parameter } from './verbs.js';

/** Turns what a person has written into what a parameter takes. */
export type Normalize = (parameter: Parameter, text: string) => string;

/**
 * Creates the reading of values as people write them: `150k`, `8.5%`, `Ohio`, `12/01/2026`, `-30d`. What was read as
 * something else is told. Nothing is guessed: the reader throws a UsageError for what has two readings, or none.
 * `findDeal` returns the id of the deal that is meant.
 */
export function createNormalize(
  today: Date,
  tell: (line: string) => void,
  findDeal: (text: string) => string = (text) => text,
): Normalize {
  const readOne = (parameter: Parameter, text: string): string => {
    if (parameter.kind === 'state') assertState(text);
    if (fitsKind(parameter, text)) return text;
    const [read, ...others] = readingsOf(parameter, text, today);
    if (read === undefined) throw new UsageError(`${parameter.name}: ${explainValue(parameter, text).detail}`);
    if (others.length === 0) return read;
    throw new UsageError(
      `${parameter.name}: "${text}" may be ${[read, ...others].join(' or ')}; write the one you mean.`,
    );
  };
  return (parameter, text) => {
    if (parameter.name === 'id') return findDeal(text);
    const items = parameter.type === 'array' ? text.split(',').map((item) => item.trim()) : [text];
    const read = items.map((item) => readOne(parameter, item)).join(',');
    if (read !== text) tell(`Read as ${read}${howRead(text, read)}.\n`);
    return read;
  };
}

/** Reads values as people write them, and deals by what the last list calls them. */
export async function createReader({ now, notes, files, environment }: Surroundings): Promise<Normalize> {
  const tell = (line: string): void => void notes.write(line);
  const list = await readLastList(files);
  return createNormalize(now(), tell, (text) => {
    const deal = findListedDeal(text, list, readBuyerEnvironment(environment).baseUrl);
    if (deal.id !== text.trim()) tell(`${plainText(describeDeal(deal))} (${deal.id})\n`);
    return deal.id;
  });
}

/** The server takes any two letters, and finds nothing. @throws UsageError */
function assertState(text: string): void {
  const code = text.toUpperCase();
  if (code.length !== 2 || stateNames.has(code)) return;
  const near = [...stateNames.keys()].filter((each) => each.startsWith(code.charAt(0)));
  throw new UsageError(`state: no such state.${near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`}`);
}

/** What of a date was taken for granted. */
function howRead(text: string, read: string): string {
  if (!/^\d{4}-\d{2}-\d{2}/.test(read)) return '';
  return text.includes('/') ? ', month first' : /^[+-]|[a-z]$/i.test(text) ? ', by UTC' : '';
}
