import fc from 'fast-check';
import type { ContractDocument, ContractOperation, ContractParameter } from '../../../src/contract/contract.js';
import { resolvePointer } from '../../../src/contract/read-operations.js';

/** A request with an outcome defined by the contract. */
export interface FuzzCase {
  readonly operation: ContractOperation;
  readonly path: string;
  /** Raw query fragments, percent-encoded. */
  readonly query: readonly string[];
  /** The fault, in words; undefined for a valid request. */
  readonly fault: string | undefined;
  /** True when a payment is sent, if the operation has a price. */
  readonly paid: boolean;
}

interface ParameterSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: ParameterSchema;
  readonly maxItems?: number;
  readonly $ref?: string;
}

/**
 * Cases of every operation of a contract: valid ones, and ones with exactly one fault. Derived only from the document.
 */
export function fuzzCases(
  document: ContractDocument,
  operations: readonly ContractOperation[],
): fc.Arbitrary<FuzzCase> {
  return fc.oneof(
    ...operations.map((operation) => ({
      arbitrary: casesOf(document, operation, operations),
      // Priced operations get the most cases.
      weight: operation.priceUsd === undefined ? 1 : 6,
    })),
  );
}

/**
 * Whose filters an operation takes, as its examples ask: of events, what either feed has, and of a count those of
 * deals. The others are faults there.
 */
const takenFrom: Readonly<Record<string, readonly string[]>> = {
  listEvents: ['listDeals', 'listAuctions'],
  countMatches: ['listDeals'],
};

function goesAlone(
  { operationId }: ContractOperation,
  name: string,
  operations: readonly ContractOperation[],
): boolean {
  const owners = operations.filter((each) => takenFrom[operationId]?.includes(each.operationId));
  return owners.every(({ parameters }) => parameters.some((each) => each.name === name));
}

/** They have a meaning beyond their schema, so their examples are used. */
const meant = ['near', 'sort', 'first_seen_since', 'price_cut_since', 'sale_status'];

function casesOf(
  document: ContractDocument,
  operation: ContractOperation,
  operations: readonly ContractOperation[],
): fc.Arbitrary<FuzzCase> {
  const query = operation.parameters.filter((each) => each.in === 'query');
  const inPath = operation.parameters.filter((each) => each.in === 'path');
  const filters = query
    .filter(({ name, required }) => name !== 'limit' && !required && goesAlone(operation, name, operations))
    .map((each) =>
      meant.includes(each.name) ? fc.constant(exampleFragment(document, each)) : validFragment(document, each),
    );
  // A required parameter has a meaning beyond its schema, so its example is used.
  const required = query.filter((each) => each.required).map((each) => exampleFragment(document, each));
  // Whole feeds would take minutes, so all but a few cases have a limit.
  const limit = query.every(({ name }) => name !== 'limit')
    ? fc.constant([])
    : fc.option(
        fc.integer({ min: 1, max: 12 }).map((count) => [`limit=${count}`]),
        { freq: 40, nil: [] },
      );
  const chosen = fc.subarray(filters, { maxLength: Math.min(3, filters.length) }).chain((some) => fc.tuple(...some));
  return fc
    .record({
      filters: chosen,
      limit,
      fault: fc.option(faultOf(document, operation, query, inPath), { freq: 2 }),
      token: fc.tuple(...inPath.map((parameter) => validText(schemaOf(document, parameter)))),
      paid: fc.boolean(),
    })
    .map(({ fault, token, paid, ...valid }) => {
      const names = new Set(fault?.query?.map((fragment) => fragment.split('=')[0]));
      // A radius alone is a fault.
      const hasCenter = valid.filters.some((fragment) => fragment.startsWith('near='));
      const kept = [...required, ...valid.filters, ...valid.limit].filter(
        (fragment) => !names.has(fragment.split('=')[0]) && (!fragment.startsWith('radius=') || hasCenter),
      );
      return {
        operation,
        path: fillPath(operation.path, fault?.path ?? token.map(encodeURIComponent)),
        query: [...kept, ...(fault?.query ?? [])],
        fault: fault?.words,
        paid,
      };
    });
}

interface Fault {
  readonly words: string;
  readonly query?: readonly string[];
  readonly path?: readonly string[];
}

function faultOf(
  document: ContractDocument,
  operation: ContractOperation,
  query: readonly ContractParameter[],
  inPath: readonly ContractParameter[],
): fc.Arbitrary<Fault> {
  const known = new Set(query.map(({ name }) => name));
  const unknown = fc
    .oneof(
      fc.constantFrom('foo', 'State', 'min_unit', 'limit%00', '__proto__', '%zz', 'state[]', 'offset'),
      fc.webFragments(),
    )
    .filter((name) => name !== '' && !/[&=#]/.test(name) && !known.has(name))
    .map((name) => ({ words: `unknown parameter ${name}`, query: [`${name}=1`] }));
  const wrong = query.map((parameter) =>
    invalidText(schemaOf(document, parameter)).map((text) => ({
      words: `${parameter.name} is wrong`,
      query: [`${parameter.name}=${text}`],
    })),
  );
  const repeated = query.map((parameter) =>
    validFragment(document, parameter).map((fragment) => ({ words: 'repeated', query: [fragment, fragment] })),
  );
  const badPath = inPath.map((parameter) =>
    invalidText(schemaOf(document, parameter))
      .filter((text) => text !== '' && !/[/?#]/.test(text))
      .map((text) => ({ words: `${operation.operationId} path`, path: [text] })),
  );
  return fc.oneof(unknown, ...wrong, ...repeated, ...badPath);
}

function validFragment(document: ContractDocument, parameter: ContractParameter): fc.Arbitrary<string> {
  const raw = resolvePointer(document, parameter.pointer.replace(/\/schema$/, '')) as { example?: unknown };
  const example = raw.example === undefined ? [] : [fc.constant(String(raw.example))];
  return fc
    .oneof(...example, validText(schemaOf(document, parameter)))
    .map((text) => `${parameter.name}=${encodeURIComponent(text).replaceAll('%20', '+')}`);
}

function exampleFragment(document: ContractDocument, { name, pointer }: ContractParameter): string {
  const { example } = resolvePointer(document, pointer.replace(/\/schema$/, '')) as { example?: unknown };
  return `${name}=${encodeURIComponent(String(example))}`;
}

function resolve(document: ContractDocument, schema: ParameterSchema): ParameterSchema {
  return schema.$ref === undefined ? schema : (resolvePointer(document, schema.$ref) as ParameterSchema);
}

function schemaOf(document: ContractDocument, parameter: ContractParameter): ParameterSchema {
  const schema = resolve(document, resolvePointer(document, parameter.pointer) as ParameterSchema);
  return schema.items === undefined ? schema : { ...schema, items: resolve(document, schema.items) };
}

/** Texts that the schema accepts, before encoding. */
function validText(schema: ParameterSchema): fc.Arbitrary<string> {
  const { minimum: min = 0, maximum: max = 1_000_000, minLength = 0, maxLength = 100 } = schema;
  if (schema.items !== undefined)
    return fc.array(validText(schema.items), { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false');
  if (schema.format === 'date') {
    const [first, last] = [Date.UTC(1900, 0, 1), Date.UTC(2199, 11, 31)];
    return fc
      .date({ min: new Date(first), max: new Date(last), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10));
  }
  if (schema.type === 'integer') {
    return fc.integer({ min, max }).chain((number) => fc.constantFrom(`${number}`, `${number}.0`, `${number}e0`));
  }
  if (schema.type === 'number') {
    const whole = fc.integer({ min, max: Math.min(max, 2 ** 31) });
    return fc.oneof(
      whole.map(String),
      whole.filter((n) => n < max).map((n) => `${n}.25`),
      fc.constantFrom(`${min}`, `${max}`),
    );
  }
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, 'u');
    return fc
      .stringMatching(pattern)
      .map((text) => text.repeat(Math.max(1, Math.ceil(minLength / Math.max(1, text.length)))).slice(0, maxLength))
      .filter((text) => text.length >= minLength && pattern.test(text));
  }
  return fc
    .string({ unit: 'binary', minLength, maxLength })
    .map((text) => text.replace(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/gu, 'x'));
}

/** Texts that the schema refuses, percent-encoded or undecodable. */
function invalidText(schema: ParameterSchema): fc.Arbitrary<string> {
  const { minimum = 0, maximum = 0, minLength = 0, maxLength = 100, pattern } = schema;
  const broken = ['%', '%zz', '%c3', '%00', 'a%0Ab', '%E2%80%AE'];
  const { items } = schema;
  // What is wrong for one of its texts is wrong in a list, unless it is a list itself.
  if (items !== undefined)
    return fc.tuple(validText(items), invalidText(items), fc.boolean()).map(([good, bad, isFirst]) => {
      const wrong = /,|%2C/i.test(bad) ? ',' : bad;
      return isFirst ? `${wrong},${good}` : `${good},${wrong}`;
    });
  if (schema.enum !== undefined) return fc.constantFrom(...broken, '', 'hot', 'HOT', 'Hot%20', 'Hot,Warm', 'null');
  if (schema.type === 'boolean') return fc.constantFrom(...broken, '', '1', '0', 'TRUE', 'yes', 'true%20', 'null');
  if (schema.format === 'date') {
    return fc.constantFrom(
      ...broken,
      '',
      '2026-02-30',
      '2026-13-01',
      '2026-1-1',
      '20261201',
      '12/01/2026',
      '2026-12-01T00:00:00Z',
      'today',
    );
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    const wrong = [
      '',
      '+',
      '%20',
      'x',
      '0x10',
      '1e999',
      '1_0',
      '.5',
      '5.',
      '00',
      '%2B1',
      'NaN',
      'Infinity',
      '-Infinity',
    ];
    const beyond = [String(minimum - 1), String(maximum + 1), '9007199254740993', '-0.001'];
    return fc.constantFrom(...broken, ...wrong, ...beyond, ...(schema.type === 'integer' ? ['1.5', '1e-1'] : []));
  }
  const long = 'x'.repeat(maxLength + 1);
  const short = minLength > 0 ? ['x'.repeat(minLength - 1)] : [];
  if (pattern === undefined) return fc.constantFrom(...broken, long, ...short);
  const others = fc
    .string()
    .filter((text) => !new RegExp(pattern, 'u').test(text))
    .map(encodeURIComponent);
  return fc.oneof(fc.constantFrom(...broken, ...short), others);
}

function fillPath(template: string, values: readonly string[]): string {
  let index = 0;
  return template.replace(/\{[^}]+\}/g, () => values[index++] ?? '');
}
