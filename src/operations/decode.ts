import { LRUCache } from 'lru-cache';
import type { ContractOperation, ContractParameter } from '../contract/contract.js';
import type { Decode, Decoded, ParameterValues } from '../contract/paths.js';
import type { Check, Validators } from '../contract/validators.js';
import type { ParameterFault } from '../errors.js';
import { countDigits, explainName, explainValue, jsonNumber, mostDigits } from '../wire/parameter-faults.js';

/** The fault of a parameter, as text or as a whole fault; `query` has the other parameters. */
export type FaultOf = (value: unknown, query: Readonly<Record<string, unknown>>) => string | ParameterFault | undefined;

/**
 * Creates the decoder of one operation. Numbers follow JSON's grammar (no hex, no blanks, no NaN) with at most 15
 * significant digits, so that none is rounded; a repeated, unknown or malformed parameter is a fault. A list is sorted,
 * and each of its values is there once.
 */
export function createDecode(
  operation: ContractOperation,
  validators: Validators,
  faultsOf: Readonly<Record<string, FaultOf>> = {},
): Decode {
  const readers = (['query', 'path'] as const).map((place) => createParameterReader(operation, place, validators));
  const [query, path] = readers as [ReadParameters, ReadParameters];
  const read: Decode = (rawQuery, rawPath) => {
    const faults: ParameterFault[] = [];
    const values = { query: query(splitQuery(rawQuery, faults), faults), path: path(Object.entries(rawPath), faults) };
    const named = new Set(faults.map(({ parameter }) => parameter));
    for (const [name, value] of Object.entries(values.query)) {
      const fault = named.has(name) ? undefined : faultsOf[name]?.(value, values.query);
      if (typeof fault === 'string')
        faults.push({ parameter: name, in: 'query', reason: 'invalid_parameter', detail: fault });
      else if (fault !== undefined) faults.push(fault);
    }
    const sorted = [values.path, values.query].map((each) =>
      Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
    const canonical = JSON.stringify(sorted);
    return { ...values, faults, canonical, resource: resourceOf(operation, values, faults.length > 0) };
  };
  if (operation.path.includes('{')) return read;
  // Callers repeat the same few queries.
  const known = new LRUCache<string, Decoded>({ max: 1_000 });
  return (rawQuery, rawPath) => {
    const seen = known.get(rawQuery);
    if (seen !== undefined) return seen;
    const decoded = read(rawQuery, rawPath);
    // Faulty queries are not remembered: there are too many.
    if (decoded.faults.length === 0) known.set(rawQuery, decoded);
    return decoded;
  };
}

const maxQueryLength = 4096;
/** More than any operation has parameters; each part can be answered with a fault many times its length. */
const maxQueryParts = 64;

type ReadParameters = (
  entries: readonly (readonly [string, string])[],
  faults: ParameterFault[],
) => Record<string, unknown>;

function createParameterReader(
  operation: ContractOperation,
  place: 'query' | 'path',
  validators: Validators,
): ReadParameters {
  const declared = new Map(operation.parameters.filter((each) => each.in === place).map((each) => [each.name, each]));
  const check = validators.parameters(operation, place);
  return (entries, faults) => {
    const values: Record<string, unknown> = {};
    for (const [rawName, rawValue] of entries) {
      const name = decodeText(rawName, place);
      const value = decodeText(rawValue, place);
      const parameter = name === undefined ? undefined : declared.get(name);
      if (name === undefined || parameter === undefined)
        faults.push(unknownFault(name ?? rawName, place, [...declared.keys()]));
      else if (Object.hasOwn(values, name))
        faults.push(invalidFault(parameter, givenTwice(parameter, values[name], value)));
      else values[name] = readValue(parameter, value, faults);
    }
    faults.push(...contractFaults(check, values, place, declared));
    return values;
  };
}

function splitQuery(raw: string, faults: ParameterFault[]): [string, string][] {
  if (raw === '') return [];
  const parts = raw.length > maxQueryLength ? undefined : raw.split('&').filter((part) => part !== '');
  if (parts === undefined || parts.length > maxQueryParts) {
    const detail = `at most ${maxQueryParts} parts, and ${maxQueryLength.toLocaleString('en-US')} characters in all`;
    faults.push({ parameter: '?', in: 'query', reason: 'invalid_parameter', detail });
    return [];
  }
  return parts.map((part) => {
    const equals = part.indexOf('=');
    return equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
  });
}

/**
 * Undefined when the percent-encoding is broken, or when the text holds control characters, those that turn the
 * direction of writing included. Only in a query does a plus sign stand for a space.
 */
function decodeText(raw: string, place: 'query' | 'path'): string | undefined {
  try {
    const text = decodeURIComponent(place === 'query' ? raw.replaceAll('+', ' ') : raw);
    return /[\p{Cc}\p{Bidi_Control}]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function readValue(parameter: ContractParameter, text: string | undefined, faults: ParameterFault[]): unknown {
  if (text === undefined) {
    faults.push(invalidFault(parameter, 'no control characters, and UTF-8 in percent-encoding'));
    return undefined;
  }
  if (parameter.type === 'string') return text;
  if (parameter.type === 'array') return [...new Set(text.split(','))].sort();
  if (parameter.type === 'boolean' && ['true', 'false'].includes(text)) return text === 'true';
  if (parameter.type !== 'boolean' && jsonNumber.test(text)) {
    // A short text has no more digits than that.
    if (text.length <= mostDigits || countDigits(text) <= mostDigits) return Number(text);
  }
  faults.push(faultOf(parameter, text));
  return undefined;
}

function contractFaults(
  check: Check<Record<string, unknown>>,
  values: Record<string, unknown>,
  place: 'query' | 'path',
  declared: ReadonlyMap<string, ContractParameter>,
): ParameterFault[] {
  if (check(values)) return [];
  const named = new Set<string>();
  return check.faults().flatMap(({ keyword, params, instancePath }): ParameterFault[] => {
    // The path of a list goes on to the item.
    const [, name = String(params['missingProperty']), index] = instancePath.split('/');
    const parameter = declared.get(name);
    // An unreadable value is named already.
    if (named.has(name) || parameter === undefined || (keyword === 'required' && Object.hasOwn(values, name)))
      return [];
    named.add(name);
    if (keyword === 'required')
      return [
        { parameter: name, in: place, reason: 'missing_parameter', detail: `missing, such as ${parameter.example}` },
      ];
    const cure = boundOf(keyword, params['limit'], parameter);
    return [cure === undefined ? faultOf(parameter, values[name], index) : invalidFault(parameter, cure)];
  });
}

/** The cure for a value outside the bounds; undefined for any other fault. */
function boundOf(keyword: string, limit: unknown, { bounds }: ContractParameter): string | undefined {
  if (keyword === 'minimum' || keyword === 'maximum') return `from ${bounds?.join(' to ')}`;
  if (keyword === 'maxItems') return `at most ${String(limit)}`;
  return keyword === 'maxLength' ? `at most ${String(limit)} characters` : undefined;
}

/** The fault of a value, which is named if it is one of a list. */
function faultOf(parameter: ContractParameter, value: unknown, index?: string): ParameterFault {
  const items = Array.isArray(value) ? (value as string[]) : [String(value)];
  const text = items[Number(index ?? 0)] ?? '';
  const { detail, ...rest } = explainValue(parameter, text);
  const named = items.length > 1 ? `${JSON.stringify(text.slice(0, 40))}: ${detail}` : detail;
  return { ...invalidFault(parameter, named), ...rest };
}

function givenTwice({ name, type }: ContractParameter, ...values: readonly unknown[]): string {
  const together = [...new Set(values.flat())].join(',');
  return type === 'array' ? `given twice; write ${name}=${together}`.slice(0, 120) : 'given twice; write it once';
}

function invalidFault(parameter: ContractParameter, detail: string): ParameterFault {
  return { parameter: parameter.name, in: parameter.in, reason: 'invalid_parameter', detail };
}

function unknownFault(name: string, place: 'query' | 'path', known: readonly string[]): ParameterFault {
  const shown = name.slice(0, 80);
  return { parameter: shown, in: place, reason: 'unknown_parameter', ...explainName(shown, known) };
}

/** Longest query in an address, in bytes: a 402 names it three times, in a header that proxies limit. */
const maxQueryBytes = 512;

/**
 * The address of a request, below PUBLIC_BASE_URL: the concrete path and the given parameters, sorted by name. Equal
 * requests have equal addresses. The query is left out if a parameter is faulty, if it is longer than 512 bytes, and
 * always if the contract calls a parameter private.
 */
function resourceOf(
  { path: template, parameters }: ContractOperation,
  { path, query }: ParameterValues,
  isFaulty: boolean,
): string {
  const concrete = template.replaceAll(/\{(\w+)\}/g, (braces, name: string) =>
    encodeURIComponent(String(path[name] ?? braces)),
  );
  const names = Object.keys(query).sort();
  if (isFaulty || names.length === 0 || parameters.some(({ isPrivate }) => isPrivate)) return concrete;
  const text = names
    .map((name) => `${name}=${encodeURIComponent(String(query[name]))}`)
    .join('&')
    // As RFC 3986 has it, all but the unreserved is encoded. A comma stays, since lists are written with it.
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%2C', ',');
  return text.length > maxQueryBytes ? concrete : `${concrete}?${text}`;
}
