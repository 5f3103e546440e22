import { isForData, type Contract, type ContractOperation, priceLabel } from '../../contract/contract.js';
import { workedExample } from './worked-example.js';

/** A short guide in plain text for language models: guidance, an example, prices, parameters. */
export function llmsText(contract: Contract, publicBaseUrl: string, network: string): string {
  const { info } = contract.document;
  const example = workedExample(contract);
  const operations = contract.operations.filter(isForData);
  const describe = (operation: ContractOperation) => {
    const parameters = operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => parameter.name);
    const takes = parameters.length > 0 ? ` Parameters: ${parameters.join(', ')}.` : '';
    return `- [GET ${operation.path}](${publicBaseUrl}${operation.path}) (${priceLabel(operation)}): ${operation.summary}.${takes}`;
  };
  const tools = contract.operations.flatMap((operation) =>
    operation.tool ? [`${operation.tool.name} (${priceLabel(operation)})`] : [],
  );
  return [
    `# ${info.title}`,
    '',
    `> ${String(info['summary'])} Paid with x402 v2 in USDC on ${network}.`,
    '',
    info['x-guidance'].trim(),
    '',
    '## An example',
    '',
    ...example.calls.map(({ call, price, buys }, index) => `${index + 1}. ${call} (${price}): ${buys}`),
    '',
    `In all ${example.total}.`,
    '',
    '## Products',
    '',
    ...operations.filter(({ priceUsd }) => priceUsd !== undefined).map(describe),
    '',
    '## Free',
    '',
    ...operations.filter(({ priceUsd }) => priceUsd === undefined).map(describe),
    '',
    '## Tools',
    '',
    `The same operations are MCP tools at ${publicBaseUrl}/mcp (streamable HTTP): ${tools.join(', ')}.`,
    '',
    `The contract: ${publicBaseUrl}/openapi.json`,
    `For generators of clients: ${publicBaseUrl}/openapi.plain.json (3.1), ${publicBaseUrl}/openapi.plain-3.0.json (3.0)`,
    '',
  ].join('\n');
}
