/** Where the server listens, as its settings say. */
export interface ListeningPlace {
  readonly host: string;
  readonly port: number;
}

const longestMs = 4_000;

/** Asks the server of this machine whether it answers. Resolves to the exit code: 0 where it does, else 1. */
export async function askHealth({ host, port }: ListeningPlace, notes: NodeJS.WritableStream): Promise<number> {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const name = everywhere[host] ?? (host.includes(':') ? `[${host}]` : host);
  const url = `http://${name}:${port}/healthz`;
  const signal = AbortSignal.timeout(longestMs);
  const status = await fetch(url, { signal }).then(
    async (response) => (await response.arrayBuffer(), response.status),
    () => undefined,
  );
  if (status === 200) return 0;
  notes.write(status === undefined ? `Nothing answers at ${url}.\n` : `${url} answers ${status}.\n`);
  return 1;
}
