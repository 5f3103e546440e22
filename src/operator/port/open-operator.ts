import type { JudgedConfig } from '../../config/config.js';
import { checks } from '../checks/checks.js';
import { diagnose, type Diagnosis } from '../checks/diagnose.js';
import { keptFor } from '../../db/kept-for.js';
import type { Watch } from '../checks/watch.js';
import { renderJson } from '../cli/doctor.js';
import { openMetrics, type MeasuredService, type Timetable } from '../metrics/open-metrics.js';
import { operatorPage } from '../../pages/operator/operator-page.js';
import { findAsset } from '../../pages/page-assets.js';
import { readSales } from '../metrics/sales-reader.js';
import { openOperatorPort, type Shown } from './operator-port.js';

/** The running service, as far as its operator looks at it. */
export interface WatchedService extends MeasuredService {
  readonly watch: Pick<Watch, 'looked'>;
}

export type Operator = Awaited<ReturnType<typeof openOperator>>;

const [checksMs, salesMs] = [60_000, 10_000];
/** What the page shows of /metrics. */
const shownFigures = [
  ...['source_age_periods', 'source_unseen_seconds', 'job_age_periods', 'relayer_leased', 'relayer_runway_seconds'],
  ...['relayer_runway_settlements', 'oldest_open_payment_seconds', 'ledger_difference_microusdc', 'lost_sales'],
  ...['refunds_due', 'refusals_total'],
];
const [json, page] = ['application/json', 'text/html; charset=utf-8'];

/** Opens the operator's port of a service. Rejects where it cannot listen. */
export async function openOperator(
  app: WatchedService,
  { judged, timetable }: { readonly judged: JudgedConfig; readonly timetable: Timetable },
) {
  const { now, contract } = app;
  const { version } = contract.document.info;
  const metrics = openMetrics(app, timetable);
  const others = checks.filter(({ at }) => !at.includes('live'));
  const readOthers = keptFor(checksMs, () => diagnose(judged, { version, now, timetable }, others));
  const readChecks = async (): Promise<Diagnosis> => {
    const [diagnosis, live] = [await readOthers(), app.watch.looked()];
    const byId = new Map([...diagnosis.looked, ...live].map((each) => [each.id, each]));
    return { ...diagnosis, looked: [...byId.values()] };
  };
  const readSalesNow = keptFor(salesMs, () => readSales(app.database.knex, app.owner));
  async function renderPage(): Promise<string> {
    const [{ looked }, sales, ...values] = await Promise.all([
      readChecks(),
      readSalesNow().catch(() => undefined),
      ...shownFigures.map(metrics.read),
    ]);
    const of = new Map(shownFigures.map((name, index) => [name, values[index] ?? []]));
    return operatorPage({
      ...{ name: contract.document.info.title, instance: judged.config.instanceName, version, sales },
      obstacle: app.readReadiness().obstacle,
      findings: looked.flatMap((each) => (each.state === 'finding' ? [{ ...each.finding, ...each }] : [])),
      figure: (name) => of.get(name) ?? [],
    });
  }
  const shows: Readonly<Record<string, () => Promise<Shown>>> = {
    '/healthz': async () => asJson(200, { status: 'alive' }),
    '/readyz': async () => {
      const { obstacle, body } = app.readReadiness();
      return obstacle === undefined ? asJson(200, body) : asJson(503, { status: 503, detail: obstacle });
    },
    '/metrics': async () => ({ mediaType: metrics.mediaType, body: await metrics.render() }),
    '/checks.json': async () => ({ mediaType: json, body: renderJson(await readChecks()) }),
    // Not by an element of the page: it would be read aloud anew each time.
    '/': async () => ({ mediaType: page, body: await renderPage(), headers: { Refresh: '30' } }),
  };
  const find = async (path: string) => {
    const asset = path.startsWith('/assets/') ? findAsset(path.slice('/assets/'.length)) : undefined;
    if (asset !== undefined) return { mediaType: `${asset.mediaType}; charset=utf-8`, body: asset.text };
    return Object.hasOwn(shows, path) ? shows[path]?.() : undefined;
  };
  const port = await openOperatorPort(judged.config.operator, find).catch(async (error: unknown) => {
    await metrics.close();
    throw error;
  });
  return {
    url: port.url,
    onAnswered: metrics.onAnswered,
    flush: metrics.flush,
    async close(): Promise<void> {
      await port.close();
      await metrics.close();
    },
  };
}

function asJson(status: number, body: object): Shown {
  return { status, mediaType: json, body: JSON.stringify(body) };
}
