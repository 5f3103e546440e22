import type { JudgedConfig } from '../../config/config.js';
import type { Log } from '../../log.js';
import type { OnAnswered } from '../../operations/operation.js';
import { diagnose } from '../checks/diagnose.js';
import { renderJson } from '../cli/doctor.js';
import { openMetrics, type MeasuredService, type Timetable } from '../metrics/open-metrics.js';
import { openOperatorPort, type OperatorPort, type Shown } from './operator-port.js';

/** The running service, as far as its operator looks at it. */
export interface WatchedService extends MeasuredService {
  readonly url: string;
  readonly now: () => Date;
  readonly log: Log;
}

export interface Operator extends OperatorPort {
  readonly onAnswered: OnAnswered;
}

const [checksMs, readyzMs] = [60_000, 2_000];
const json = 'application/json';

/** Opens the operator's port of a service. Rejects where it cannot listen. */
export async function openOperator(
  app: WatchedService,
  { judged, timetable }: { readonly judged: JudgedConfig; readonly timetable: Timetable },
): Promise<Operator> {
  const { now, log, contract } = app;
  const { version } = contract.document.info;
  const readReadiness = async (): Promise<Shown> => {
    const reply = await fetch(`${app.url}/readyz`, { signal: AbortSignal.timeout(readyzMs) });
    return { status: reply.status, mediaType: json, body: await reply.text() };
  };
  const isReady = () =>
    readReadiness().then(
      ({ status }) => status === 200,
      () => false,
    );
  const metrics = openMetrics(app, timetable, isReady);
  const readChecks = keptFor(checksMs, async () => renderJson(await diagnose(judged, { version, now, log })));
  const shows: Readonly<Record<string, () => Promise<Shown>>> = {
    '/healthz': async () => ({ mediaType: json, body: '{"status":"alive"}' }),
    '/readyz': readReadiness,
    '/metrics': async () => ({ mediaType: metrics.mediaType, body: await metrics.render() }),
    '/checks.json': async () => ({ mediaType: json, body: await readChecks() }),
  };
  const find = async (path: string) => (Object.hasOwn(shows, path) ? shows[path]?.() : undefined);
  const port = await openOperatorPort(judged.config.operator, find).catch(async (error: unknown) => {
    await metrics.close();
    throw error;
  });
  return {
    url: port.url,
    onAnswered: metrics.onAnswered,
    async close() {
      await port.close();
      await metrics.close();
    },
  };
}

/** Asks again only when the last answer is so old, and once at a time. */
function keptFor<Value>(ms: number, ask: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly atMs: number } | undefined;
  return () => {
    if (kept === undefined || performance.now() - kept.atMs > ms) {
      const asked = { value: ask(), atMs: performance.now() };
      kept = asked;
      asked.value.catch(() => (kept = kept === asked ? undefined : kept));
    }
    return kept.value;
  };
}
