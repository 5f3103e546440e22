import { publicPath, type ContractOperation } from '../../contract/contract.js';
import { pathOf, readPathValues, type Decode, type Decoded } from '../../contract/paths.js';

/** Whether the resource URL of a payment names the request. */
export type ResourceMatch = (named: string, asked: Decoded) => boolean;

/** The URL of a tool in a PaymentRequired. Source: the MCP transport of x402. */
export function toolUrl(name: string): string {
  return `mcp://tool/${name}`;
}

/**
 * Creates the comparison for one operation. Accepted on our origin: the same parameters in any order and spelling, the
 * concrete path without a query, and the template of the path; on any origin the URL of the tool.
 */
export function createResourceMatch(operation: ContractOperation, publicBaseUrl: string, read: Decode): ResourceMatch {
  const tool = operation.tool && toolUrl(operation.tool.name);
  const { origin } = new URL(publicBaseUrl);
  return (named, asked) => {
    // An ordinary client repeats the URL of the 402.
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
