import assert from 'node:assert/strict';
import type { Deal, DealIds, Report, ReportPreview } from '../../../generated/types.gen.js';
import { startTestApp } from '../../support/app.js';
import { shareApp, type SharedApp } from '../../support/shared-app.js';
import { buy } from '../../support/pay.js';

const unknownId = '3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11';
const reportAt = (id: string) => `/api/deals/${id}/report`;

/** The figures that a report tells beyond the row of the id index, as texts. */
function figuresIn(report: Report): ReadonlySet<string> {
  const texts = JSON.stringify(report).match(/-?\d+\.\d+/g) ?? [];
  return new Set(texts.filter((text) => text.length > 4));
}

const bands = ['under_0.5', '0.5_to_0.75', 'over_0.75'] as const;

function bandOf(deal: Deal): (typeof bands)[number] {
  const confidence = Number(deal.confidence_score);
  return bands[confidence < 0.5 ? 0 : confidence < 0.75 ? 1 : 2];
}

/** Of each band of confidence, the deals of which most and least is absent: the ids, and so their order, are drawn. */
function sampleOf(deals: readonly Deal[]): readonly string[] {
  return bands.flatMap((band) => {
    const absences = (deal: Deal): number => Object.keys(deal.absent).length;
    const ofBand = deals.filter((deal) => bandOf(deal) === band).sort((a, b) => absences(a) - absences(b));
    assert.ok(ofBand.length >= 4, `${band}: ${ofBand.length} deals`);
    return [...ofBand.slice(0, 2), ...ofBand.slice(-2)].map(({ id }) => id);
  });
}

describe('the preview of a report', () => {
  let app: SharedApp;
  let ids: readonly string[];

  before(async () => {
    app = await shareApp();
    ids = sampleOf((await (await buy(`${app.url}/api/deals?limit=1000`)).json()) as Deal[]);
  });

  const ask = (path: string, from = app): Promise<Response> => fetch(from.url + path);
  const previewOf = async (id: string): Promise<ReportPreview> =>
    (await (await ask(`${reportAt(id)}/preview`)).json()) as ReportPreview;
  const previewIn402 = async (id: string, from = app): Promise<unknown> => {
    const reply = await ask(reportAt(id), from);
    assert.equal(reply.status, 402);
    const header = Buffer.from(reply.headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString();
    assert.doesNotMatch(header, /preview/);
    return ((await reply.json()) as { readonly preview?: unknown }).preview;
  };

  it('says which sections the report has that is then sold, and none of its figures', async () => {
    const states = new Set<string>();
    for (const id of ids) {
      const preview = await previewOf(id);
      const report = (await (await buy(app.url + reportAt(id))).json()) as Report;
      const { deal, underwriting, absent } = report;
      const { city, state, last_verified: verified } = deal;
      assert.deepEqual(
        [preview.id, preview.city, preview.state, preview.last_verified, preview.report_price],
        [id, city, state, verified, '$1.50'],
      );
      const told = new Map(preview.sections.map(({ name, ...section }) => [name, section]));
      assert.deepEqual(told.get('offer_range')?.state === 'none', report.offer_range === null);
      if (absent.offer_range) assert.deepEqual(told.get('offer_range')?.reasons, [absent.offer_range.reason]);
      const reasons = Object.values(underwriting.hud.absent).map(({ reason }) => reason);
      assert.deepEqual(told.get('hud')?.reasons, [...new Set(reasons)].sort());
      assert.equal(told.get('hud')?.state === 'full', reasons.length === 0);
      const { absent: _, ...claimed } = underwriting.claimed;
      const isClaimed = Object.values(claimed).some((value) => value !== null);
      assert.equal(told.get('claimed')?.state === 'none', !isClaimed);
      assert.equal(told.get('price_history')?.state === 'none', report.price_history.length === 0);
      const records = report.signals.length + report.auctions.length > 0;
      assert.deepEqual(told.get('county_records'), { state: records ? 'full' : 'none', reasons: [] });
      for (const figure of figuresIn(report)) assert.ok(!JSON.stringify(preview).includes(`"${figure}"`), figure);
      for (const section of preview.sections) states.add(section.state);
    }
    assert.deepEqual([...states].sort(), ['full', 'none', 'partial']);
  });

  it('tells the confidence in three bands', async () => {
    const told = new Set<string>();
    for (const id of ids) {
      const { deal } = (await (await buy(app.url + reportAt(id))).json()) as Report;
      const { confidence } = await previewOf(id);
      assert.equal(confidence, bandOf(deal));
      told.add(confidence);
    }
    assert.deepEqual([...told].sort(), [...bands].sort());
  });

  it('stands in the 402 of the report, and not in that of an id which is none', async () => {
    const [id = ''] = ids;
    assert.deepEqual(await previewIn402(id), await previewOf(id));
    assert.equal(await previewIn402(unknownId), undefined);
  });

  it('refuses an id as the report does', async () => {
    const told = async (path: string) => {
      const reply = await ask(path);
      const { request_id: _, instance: __, ...problem } = (await reply.json()) as Readonly<Record<string, unknown>>;
      return { status: reply.status, problem };
    };
    for (const id of ['nonsense', '{id}', '%7Bid%7D', ':id'])
      assert.deepEqual(await told(`${reportAt(id)}/preview`), await told(reportAt(id)), id);
    const { status, problem } = await told(`${reportAt(unknownId)}/preview`);
    const paid = await buy(app.url + reportAt(unknownId));
    const { reason } = (await paid.json()) as { readonly reason: string };
    assert.deepEqual([status, problem['reason']], [404, reason]);
  });

  it('costs no more than a count: over the limit it is 429, and the 402 of the report comes without it', async () => {
    const limited = await startTestApp({ environment: { COUNTS_PER_MINUTE: '2' } });
    const { ids: all } = (await (await ask('/api/deals/ids', limited)).json()) as DealIds;
    const [first, second, third] = all.map(({ id }) => id);
    assert.ok(first && second && third);
    assert.ok(await previewIn402(first, limited));
    assert.equal((await ask(`${reportAt(second)}/preview`, limited)).status, 200);
    assert.equal((await ask(`${reportAt(third)}/preview`, limited)).status, 429);
    assert.equal(await previewIn402(third, limited), undefined);
    assert.equal((await ask('/api/count?of=deals', limited)).status, 429);
    await limited.stop();
  });

  it('is revalidated free by its ETag', async () => {
    const path = `${reportAt(ids[0] ?? '')}/preview`;
    const tag = (await ask(path)).headers.get('ETag') ?? assert.fail();
    assert.equal((await fetch(app.url + path, { headers: { 'If-None-Match': tag } })).status, 304);
  });
});
