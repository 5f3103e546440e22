import type { ContractOperation } from '../../contract/contract.js';
import type { ParameterFault } from '../../errors.js';

/** A tool's arguments as an HTTP request to its operation. */
export interface EncodedArguments {
  readonly query: string;
  readonly path: Readonly<Record<string, string>>;
  /** Arguments that no parameter can hold. */
  readonly faults: readonly ParameterFault[];
}

export type Given = Readonly<Record<string, unknown>>;

/**
 * Encodes arguments as query and path, so that they are parsed, validated and bound to a payment as over HTTP. Null
 * means absent. Lists and objects are faults; the operation judges everything else: unknown names, and those given
 * twice.
 */
export function encodeArguments(operation: ContractOperation, given: readonly Given[]): EncodedArguments {
  const inPath = new Set(operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name));
  const pairs: string[] = [];
  const path: Record<string, string> = {};
  const faults: ParameterFault[] = [];
  for (const [name, value] of given.flatMap((each) => Object.entries(each))) {
    if (value === null || value === undefined) continue;
    const place = inPath.has(name) ? 'path' : 'query';
    const encoded = isScalar(value) ? encodeText(String(value)) : undefined;
    const encodedName = encodeText(name);
    if (encoded === undefined || encodedName === undefined) faults.push(faultOf(name, place));
    else if (place === 'path') path[name] = encoded;
    else pairs.push(`${encodedName}=${encoded}`);
  }
  return { query: pairs.join('&'), path, faults };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Undefined for invalid Unicode. */
function encodeText(text: string): string | undefined {
  try {
    return encodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function faultOf(name: string, place: ParameterFault['in']): ParameterFault {
  return {
    parameter: name.slice(0, 80),
    in: place,
    reason: 'invalid_parameter',
    detail: 'a string, a number, true or false; a list is a string with commas: OH,IN',
  };
}
