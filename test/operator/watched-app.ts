import { timetable } from '../../jobs/timetable.js';
import type { OnAnswered } from '../../src/operations/operation.js';
import { openOperator, type Operator } from '../../src/operator/port/open-operator.js';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/app.js';

/** A service with its operator's port. */
export interface WatchedApp {
  readonly app: TestApp;
  readonly operator: Operator;
  stop(): Promise<void>;
}

export async function startWatchedApp({
  token,
  ...options
}: TestAppOptions & { readonly token?: string } = {}): Promise<WatchedApp> {
  const told: { onAnswered?: OnAnswered } = {};
  const app = await startTestApp({ ...options, onAnswered: (call) => told.onAnswered?.(call) });
  const config = { ...app.config, operator: { host: '127.0.0.1', port: 0, token } };
  const operator = await openOperator(app, { judged: { config, findings: [] }, timetable });
  told.onAnswered = operator.onAnswered;
  return {
    app,
    operator,
    async stop() {
      await operator.close();
      await app.stop();
    },
  };
}

/** Reads the series of /metrics: name and labels, and the value. */
export async function readMetrics(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}
