import type { ParameterFault } from '../errors.js';

/** The values of a request's parameters. */
export interface ParameterValues {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** A request for an operation: its decoded parameters. */
export interface Decoded extends ParameterValues {
  readonly faults: readonly ParameterFault[];
  /** The parameters in one canonical text: equal for equal requests, in any order and spelling of numbers. */
  readonly canonical: string;
  /** The address below PUBLIC_BASE_URL: the concrete path, with the query where it may be named. */
  readonly resource: string;
}

/** Decodes raw parameters strictly: every fault is collected and named, nothing is guessed. */
export type Decode = (rawQuery: string, rawPath: Readonly<Record<string, string>>) => Decoded;

/** The path of an address below PUBLIC_BASE_URL. */
export function pathOf(resource: string): string {
  const [path = ''] = resource.split('?', 1);
  return path;
}

/**
 * The raw values of a template's parameters in a concrete path, still percent-encoded; undefined where the path has
 * another template.
 */
export function readPathValues(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const values: Record<string, string> = {};
  const parts = path.split('/');
  const names = template.split('/');
  const isOfTemplate =
    parts.length === names.length &&
    names.every((name, index) => {
      const part = parts[index] ?? '';
      if (!name.startsWith('{')) return name === part;
      values[name.slice(1, -1)] = part;
      return true;
    });
  return isOfTemplate ? values : undefined;
}
