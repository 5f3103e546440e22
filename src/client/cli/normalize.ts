import { explainValue, fitsKind, readingsOf } from '../../wire/parameter-faults.js';
import { UsageError } from '../buyer-environment.js';
import type { Parameter } from './verbs.js';

/** Turns what a person has written into what a parameter takes. */
export type Normalize = (parameter: Parameter, text: string) => string;

/**
 * Creates the reading of values as people write them: `150k`, `8.5%`, `Ohio`, `12/01/2026`, `-30d`. What was read as
 * something else is told. Nothing is guessed: the reader throws a UsageError for what has two readings, or none.
 */
export function createNormalize(today: Date, tell: (line: string) => void): Normalize {
  const readOne = (parameter: Parameter, text: string): string => {
    if (fitsKind(parameter, text)) return text;
    const [read, ...others] = readingsOf(parameter, text, today);
    if (read === undefined) throw new UsageError(`${parameter.name}: ${explainValue(parameter, text).detail}`);
    if (others.length === 0) return read;
    throw new UsageError(
      `${parameter.name}: "${text}" may be ${[read, ...others].join(' or ')}; write the one you mean.`,
    );
  };
  return (parameter, text) => {
    const items = parameter.type === 'array' ? text.split(',').map((item) => item.trim()) : [text];
    const read = items.map((item) => readOne(parameter, item)).join(',');
    if (read !== text) tell(`Read as ${read}.\n`);
    return read;
  };
}
