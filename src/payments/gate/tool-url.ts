/** How a PaymentRequired names a tool. Source: the MCP transport of x402. */
export function toolUrl(name: string): string {
  return `mcp://tool/${name}`;
}
