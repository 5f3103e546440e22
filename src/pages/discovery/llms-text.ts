import { type Contract, priceLabel } from '../../contract/contract.js';

/** A short guide in plain text for language models: guidance, prices, parameters. */
export function llmsText(contract: Contract, publicBaseUrl: string, network: string): string {
  const { info } = contract.document;
  const operations = contract.operations.map((operation) => {
    const parameters = operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => parameter.name);
    const takes = parameters.length > 0 ? ` Parameters: ${parameters.join(', ')}.` : '';
    return `- [GET ${operation.path}](${publicBaseUrl}${operation.path}) (${priceLabel(operation)}): ${operation.summary}.${takes}`;
  });
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
    '## Operations',
    '',
    ...operations,
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
