import type { LedgerQuestion, Order } from '../socket/messages.js';
import { OperatorError } from '../../errors.js';
import { flag, parseWords, text } from './parse-words.js';

/** The parsed arguments of `ledger` or `report`: a job to run, or a question. */
export type LedgerOrder =
  | { readonly job: 'reconcile' }
  /** The audit, or a rebuild with its order. `json`: figures for programs. */
  | { readonly audit: Order | undefined; readonly json: boolean }
  | { readonly question: LedgerQuestion };

/**
 * Parses the arguments of `ledger`; undefined when invalid. @throws OperatorError naming the fault of an id or a day
 */
export function readLedgerWords(words: readonly string[]): LedgerOrder | undefined {
  const parsed = parseWords(words, { from: text, to: text, by: text, transaction: text, since: text, json: flag });
  if (parsed === undefined) return undefined;
  const { positionals, values } = parsed;
  const [verb, subject, ...rest] = positionals;
  const given = Object.keys(values);
  const has = (subjects: 0 | 1, ...options: string[]): boolean =>
    rest.length === 0 && (subject === undefined) === (subjects === 0) && given.every((each) => options.includes(each));
  if (verb === 'reconcile' && has(0)) return { job: verb };
  if (verb === 'audit' && has(0, 'json')) return { audit: undefined, json: values.json === true };
  if (verb === 'rebuild' && has(0, 'json', 'since')) {
    const { since, json = false } = values;
    return { audit: { do: 'rebuild', since: since === undefined ? since : readDay(since) }, json };
  }
  if (verb === 'refunds' && has(0)) return { question: { about: 'refunds' } };
  if (verb === 'report' && has(0, 'from', 'to', 'by')) {
    const { by = 'day' } = values;
    if (by !== 'day' && by !== 'operation' && by !== 'payer')
      throw new OperatorError(`--by is day, operation or payer, not ${JSON.stringify(by)}.`);
    return { question: { about: 'report', by, ...readPeriod(values) } };
  }
  if (verb === 'demand' && has(0, 'from', 'to')) return { question: { about: 'demand', ...readPeriod(values) } };
  if (verb === 'export' && has(0, 'from', 'to')) return { question: { about: 'export', ...readPeriod(values) } };
  if (verb === 'receipts' && has(1, 'from', 'to'))
    return { question: { about: 'receipts', payer: readHex(subject, [20], 'an address'), ...readPeriod(values) } };
  if (verb === 'show' && has(1))
    return { question: { about: 'payments', hex: readHex(subject, [32, 20], whatToShow) } };
  if (verb === 'refund' && has(1, 'transaction') && values.transaction !== undefined) {
    const paymentId = readHex(subject, [32], 'a payment id, as "ledger refunds" lists it');
    const transaction = readHex(values.transaction, [32], 'the hash of the transaction that paid the money back');
    return { question: { about: 'refund', paymentId, transaction } };
  }
  return undefined;
}

const whatToShow = 'a payment id, a transaction or a payer';

function readPeriod({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  for (const day of [from, to]) if (day !== undefined) readDay(day);
  if (from !== undefined && to !== undefined && from > to)
    throw new OperatorError(`The period ends before it begins: --from ${from} --to ${to}.`);
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function readDay(text: string): string {
  const moment = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(NaN);
  if (!Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text)) return text;
  throw new OperatorError(`Not a day (YYYY-MM-DD): ${JSON.stringify(text)}`);
}

function readHex(text: string | undefined, sizes: readonly number[], what: string): `0x${string}` {
  if (!sizes.some((bytes) => new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`).test(text ?? ''))) {
    const digits = sizes.map((bytes) => `${bytes * 2}`).join(' or ');
    throw new OperatorError(`${JSON.stringify(text)} is not ${what}: 0x and ${digits} hexadecimal digits.`);
  }
  return `0x${(text ?? '').slice(2).toLowerCase()}`;
}
