import { publicPath, type ContractOperation } from '../../contract/contract.js';
import { pathOf, readPathValues, type ParameterValues } from '../../contract/paths.js';
import type { ParameterFault } from '../../errors.js';

/** What a request asks of an operation. */
export interface AskedResource extends ParameterValues {
  /** The parameters that a payment is bound to. */
  readonly canonical: string;
  /** The address below PUBLIC_BASE_URL: the concrete path, with the query where it may be named. */
  readonly resource: string;
  /** A paid request with faults is refused, unbilled. */
  readonly faults: readonly ParameterFault[];
}

/** Reads the raw query and path parameters of a request for one operation. */
export type ReadAsked = (rawQuery: string, rawPath: Readonly<Record<string, string>>) => AskedResource;

/** Whether an address that a payment carries names what is asked for. */
export type NamesAsked = (named: string, asked: AskedResource) => boolean;

/** How a PaymentRequired names a tool. Source: the MCP transport of x402. */
export function toolUrl(name: string): string {
  return `mcp://tool/${name}`;
}

/**
 * Creates the comparison for one operation. Accepted on our origin: the same parameters in any order and spelling, the
 * concrete path without a query, and the template of the path; anywhere the operation as a tool.
 */
export function createNamesAsked(operation: ContractOperation, publicBaseUrl: string, read: ReadAsked): NamesAsked {
  const tool = operation.tool && toolUrl(operation.tool.name);
  const { origin } = new URL(publicBaseUrl);
  return (named, asked) => {
    // An ordinary client repeats what the 402 has told it.
    if (named === publicBaseUrl + asked.resource || named === tool) return true;
    if (!URL.canParse(named)) return false;
    const url = new URL(named);
    const inPath = readPathValues(operation.path, url.pathname);
    if (url.origin !== origin || inPath === undefined) return false;
    const { canonical, resource, faults } = read(url.search.slice(1), inPath);
    if (url.search !== '') return faults.length === 0 && canonical === asked.canonical;
    return url.pathname === publicPath(operation.path) || pathOf(resource) === pathOf(asked.resource);
  };
}
