import { Session, type Debugger, type Profiler } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';
import type { TestApp } from '../support/app.js';
import { askPrice, signPayment } from '../support/pay.js';

const home = new URL('../../src/', import.meta.url).href;

/** A frame of a stack: a function of ours that waits for the one before it. */
export interface Frame {
  /** Below src/. */
  readonly file: string;
  readonly name: string;
}

// V8 ends the process where a collection drops the code of a function while coverage starts. A collection keeps the
// flags that it began with, so they are set before anything runs.
setFlagsFromString('--no-flush-bytecode');

/**
 * The named functions of ours that run while `work` does, as `file function`. Anonymous ones are parts of the function
 * around them.
 */
export async function countFunctions(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const session = openSession();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    await work();
    const { result } = (await session.post('Profiler.takePreciseCoverage')) as Profiler.TakePreciseCoverageReturnType;
    const ran = result.flatMap(({ url, functions }) =>
      functions
        // The loader of the tests names each function by one of its own; the fields of a class are none.
        .filter(({ functionName, ranges }) => /^(?!__name$)[^<]/.test(functionName) && ranges[0]?.count)
        .map(({ functionName, ranges }) => ({ url, name: `${functionName}:${ranges[0]?.startOffset}` })),
    );
    // The watch tends what is in flight, whichever request has sent it; the demonstration's chain stands for a node.
    const own = ran.filter(
      ({ url }) => url.startsWith(home) && !/\/((nonce-watch|block-times)\.[jt]s|demo\/chain\/)/.test(url),
    );
    return new Set(own.map(({ url, name }) => `${fileOf(url)} ${name}`));
  } finally {
    session.close();
  }
}

/** The frames of ours above two moments of a purchase, innermost first, what was waited for by `await` included. */
export interface Stacks {
  /** As the statement that claims the payment goes to the database. */
  readonly claim: readonly Frame[];
  /** As the signed transaction goes to the node. */
  readonly send: readonly Frame[];
}

/** Buys at an address, and looks at the stack of both moments. */
export async function readStacks(app: TestApp, path: string): Promise<Stacks> {
  const stacks = new Map<string, readonly Frame[]>();
  let moment = '';
  const stopAt = (reached: string) => {
    moment = reached;
    // The session below gets the stack, and the process goes on: nobody steps through it.
    debugger;
  };
  const restore = [watchStatements(app, stopAt), watchSends(stopAt)];
  const session = openSession();
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => void urls.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => void stacks.set(moment, framesOf(params, urls)));
  await session.post('Debugger.enable');
  await session.post('Debugger.setAsyncCallStackDepth', { maxDepth: 1_000 });
  try {
    await buyAt(app.url + path);
  } finally {
    session.close();
    for (const each of restore) each();
  }
  return { claim: stacks.get('claim') ?? [], send: stacks.get('send') ?? [] };
}

/** Asks for the price, signs, and gets the data. */
export async function buyAt(url: string): Promise<void> {
  const header = await signPayment(await askPrice(url));
  const reply = await fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } });
  await reply.arrayBuffer();
  if (reply.status !== 200) throw new Error(`Expected 200, got ${reply.status}`);
}

function openSession() {
  const session = new Session();
  session.connect();
  return {
    on: session.on.bind(session),
    post: (method: string, parameters: object = {}) =>
      new Promise<unknown>((resolve, reject) =>
        session.post(method, parameters, (error, result) => (error === null ? resolve(result) : reject(error))),
      ),
    close: () => session.disconnect(),
  };
}

function framesOf(
  { callFrames, asyncStackTrace }: Debugger.PausedEventDataType,
  urls: ReadonlyMap<string, string>,
): readonly Frame[] {
  const frames = callFrames.map(({ functionName, location }) => [urls.get(location.scriptId) ?? '', functionName]);
  for (let trace = asyncStackTrace; trace !== undefined; trace = trace.parent)
    frames.push(...trace.callFrames.map(({ functionName, url }) => [url, functionName]));
  return frames.flatMap(([url = '', name = '']) => (url.startsWith(home) ? [{ file: fileOf(url), name }] : []));
}

type Query = (statement: { readonly name?: string }, ...more: unknown[]) => unknown;

function watchStatements(app: TestApp, stopAt: (moment: string) => void): () => void {
  const { client } = app.database.knex as unknown as { client: { acquireConnection(): Promise<{ query: Query }> } };
  const acquire = client.acquireConnection;
  client.acquireConnection = async function () {
    const connection = await acquire.call(client);
    const query = connection.query;
    connection.query = (statement, ...more) => {
      connection.query = query;
      if (statement.name === 'payment_claim') stopAt('claim');
      return query.call(connection, statement, ...more);
    };
    return connection;
  };
  return () => (client.acquireConnection = acquire);
}

function watchSends(stopAt: (moment: string) => void): () => void {
  const ordinary = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    if (typeof init?.body === 'string' && init.body.includes('"eth_sendRawTransaction')) stopAt('send');
    return ordinary(input, init);
  };
  return () => (globalThis.fetch = ordinary);
}

function fileOf(url: string): string {
  return url
    .slice(home.length)
    .replace(/\?.*/, '')
    .replace(/\.[jt]s$/, '');
}
