/**
 * Calls a local node directly, for methods that only a development node has. Undefined when it does not answer in time,
 * or answers with an error.
 */
export async function askNode(port: number, method: string, params: readonly unknown[] = []): Promise<unknown> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(2_000),
    });
    const answer: unknown = await response.json();
    return typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : undefined;
  } catch {
    return undefined;
  }
}
