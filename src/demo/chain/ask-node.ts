/**
 * Asks a node on this machine, past the ordinary client: for the questions that only a development node answers.
 * Undefined when nobody answers there within the time or when the answer is an error.
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
