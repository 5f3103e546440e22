import { html, type Markup, type Piece } from '../markup.js';
import { assetUrl } from '../page-assets.js';
import { showCount } from '../show-count.js';
import { showMoment } from '../show-moment.js';
import { showUsd } from '../show-usd.js';

/** What was sold and asked for in 30 days, by UTC. Amounts are dollars as decimal texts. */
export interface OperatorFacts {
  readonly at: string;
  /** Oldest first; the last is the present day. */
  readonly days: readonly Readonly<{ readonly day: string; readonly sales: number; readonly usd: string } & Gas>[];
  readonly usdInAll: string;
  readonly etherInAll: string | null;
  /** So much an ether may cost before gas has cost what was earned; null where nobody knows of gas. */
  readonly usdAnEther: string | null;
  /** The mean of the same weekday, up to the present time of day, of four weeks. */
  readonly usdUsually: string;
  readonly operations: readonly (Wished & { readonly operation: string; readonly usd: string })[];
  /** Who spent most. */
  readonly payers: readonly {
    readonly payer: string;
    readonly sales: number;
    readonly usd: string;
    readonly operations: readonly string[];
  }[];
  /** What was not found, most often first. */
  readonly filters: readonly (Wished & { readonly name: string })[];
  readonly places: readonly (Wished & { readonly name: string })[];
  /** The runs of each job on each of seven days, oldest first. */
  readonly jobDays: readonly {
    readonly job: string;
    readonly day: string;
    readonly runs: number;
    readonly failed: number;
  }[];
  /** `relayer`: the key that it holds. */
  readonly instances: readonly {
    readonly name: string;
    readonly version: string;
    readonly state: string;
    readonly isThis: boolean;
    readonly relayer: string | null;
  }[];
}

interface Gas {
  /** What settling has cost; null where nobody knows. */
  readonly ether: string | null;
}

interface Wished {
  readonly asked: number;
  readonly sold: number;
  readonly unmatched: number;
}

/** The values of a figure of /metrics, by label; empty where it could not be asked. */
export type ReadFigure = (
  name: string,
) => readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];

export interface OperatorPageInputs {
  readonly name: string;
  readonly instance: string;
  readonly version: string;
  /** Why nothing can be sold; undefined when it can. */
  readonly obstacle: string | undefined;
  readonly findings: readonly {
    readonly id: string;
    readonly severity: string;
    readonly sentence: string;
    readonly cure: string;
  }[];
  /** Undefined where the database does not answer. */
  readonly sales: OperatorFacts | undefined;
  readonly figure: ReadFigure;
}

/** The operator's page: can it sell, does it earn as it should, who buys what, what is not found, what is late, gas. */
export function operatorPage({ name, instance, version, sales, figure, ...state }: OperatorPageInputs): string {
  const away = html`<p class="empty">The database does not answer.</p>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${state.obstacle === undefined ? 'Selling' : 'NOT SELLING'} · ${instance}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetUrl('operator.css')}">
</head>
<body>
<main>
<h1>${name}</h1>
<p class="hint">${instance}, version ${version}${sales && html`, as of ${showMoment(sales.at)}`}. <a href="/metrics">Metrics</a> · <a href="/checks.json">Checks</a></p>
${section('sell', 'Can it sell?', canSell(state))}
${section('earn', 'Does it earn as it should?', sales ? earned(sales) : away)}
${section('buyers', 'Who buys what?', html`${sales ? buyers(sales) : away}${refusals(figure)}`)}
${section('wishes', 'What is asked for and not found?', sales ? wishes(sales) : away)}
${section('late', 'Is anything late?', late(figure, sales?.jobDays ?? []))}
${section('gas', 'Does the gas last?', gas(figure))}
${section('ledger', 'Does the ledger equal the chain?', ledger(figure))}
${section('instances', 'What runs?', sales ? instances(sales, state) : away)}
</main>
</body>
</html>
`.text;
}

function section(id: string, title: string, body: Piece): Markup {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>`;
}

function canSell({ obstacle, findings }: Pick<OperatorPageInputs, 'obstacle' | 'findings'>): Markup {
  return html`<p>${obstacle === undefined ? html`<span class="chip fresh">yes</span>` : html`<span class="chip failed">no</span> ${obstacle}`}</p>
${findings.length === 0 ? html`<p>The checks found nothing.</p>` : html`<ul class="findings">${findings.map(({ id, severity, sentence, cure }) => html`<li><span class="chip ${severity === 'warn' ? 'late' : 'failed'}">${id}</span> ${sentence} <b>${cure}</b></li>`)}</ul>`}`;
}

function earned({ days, usdInAll, usdUsually, etherInAll, usdAnEther }: OperatorFacts): Markup {
  const today = days.at(-1);
  // For the height of bars alone.
  const highest = days.reduce((most, { usd }) => (Number(usd) > Number(most) ? usd : most), '0.01');
  const bars = days.map(({ day, usd, sales, ether }, index) => {
    const height = Math.max((Number(usd) / Number(highest)) * 100, sales > 0 ? 1 : 0);
    return html`<rect x="${index * 20 + 2}" y="${(100 - height).toFixed(1)}" width="16" height="${height.toFixed(1)}"><title>${day}: ${showUsd(usd)} from ${showCount(sales)} sales${ether === null ? '' : `, gas for ${ether} ether`}</title></rect>`;
  });
  return html`${figures([
    ['today so far', showUsd(today?.usd ?? '0')],
    ['mean of the same weekday by now, four weeks', showUsd(usdUsually)],
    ['sales today', showCount(today?.sales ?? 0)],
    ['in 30 days', showUsd(usdInAll)],
    ['gas in 30 days', etherInAll === null ? 'not known' : `${etherInAll} ether`],
    ['earns while an ether costs less than', usdAnEther === null ? 'not known' : showUsd(usdAnEther)],
  ])}
<svg class="bars" viewBox="0 0 600 101" preserveAspectRatio="none" role="img" aria-label="Revenue of the last 30 days, ${showUsd(days[0]?.usd ?? '0')} on the first, ${showUsd(today?.usd ?? '0')} today, at most ${showUsd(highest)}">${bars}<path d="M0 100.5H600"/></svg>
<p class="hint">Revenue by day; the highest bar is ${showUsd(highest)}.</p>`;
}

function buyers({ operations, payers }: OperatorFacts): Markup {
  return html`${table(
    'Calls of 30 days',
    ['Call', 'Asked', 'Sold', 'Not found', 'Revenue'],
    operations.map(({ operation, asked, sold, unmatched, usd }) => [
      operation,
      showCount(asked),
      showCount(sold),
      showCount(unmatched),
      showUsd(usd),
    ]),
  )}
${table(
  'Who spent most in 30 days',
  ['Payer', 'Sales', 'Spent', 'On'],
  payers.map(({ payer, sales, usd, operations: on }) => [
    html`<code>${payer}</code>`,
    showCount(sales),
    showUsd(usd),
    on.join(', '),
  ]),
)}`;
}

function refusals(figure: ReadFigure): Markup {
  const byReason = new Map<string, { count: number; operations: Set<string> }>();
  for (const { labels, value } of figure('refusals_total')) {
    const found = byReason.get(labels['reason'] ?? '') ?? { count: 0, operations: new Set() };
    byReason.set(labels['reason'] ?? '', found);
    found.count += value;
    found.operations.add(labels['operation'] ?? '');
  }
  return table(
    'Refused by this instance since its start, by reason',
    ['Reason', 'Refused', 'Calls'],
    [...byReason]
      .sort(([, one], [, other]) => other.count - one.count)
      .slice(0, mostReasons)
      .map(([reason, { count, operations }]) => [reason, showCount(count), [...operations].sort().join(', ')]),
  );
}

const mostReasons = 10;

function wishes({ filters, places }: OperatorFacts): Markup {
  const of = (what: string, wished: OperatorFacts['places']) =>
    table(
      `Not found in 30 days, by ${what.toLowerCase()}`,
      [what, 'Not found', 'Sold', 'Asked'],
      wished.map(({ name, unmatched, sold, asked }) => [name, showCount(unmatched), showCount(sold), showCount(asked)]),
    );
  return html`${of('Filter', filters)}${of('Place', places)}`;
}

function late(figure: ReadFigure, jobDays: OperatorFacts['jobDays']): Markup {
  const agesOf = (label: string) =>
    new Map(figure(`${label}_age_periods`).map(({ labels, value }) => [labels[label] ?? '', value]));
  const row = (name: string, age: number | undefined, most: number, unseen = 0): readonly Piece[] => {
    const [kind, state] =
      unseen > 0 ? ['failed', 'unseen'] : (age ?? Infinity) > most ? ['late', 'late'] : ['fresh', 'in time'];
    return [name, age?.toFixed(1) ?? 'never', html`<span class="chip ${kind}">${state}</span>`];
  };
  const ages = agesOf('source');
  const sources = [...figure('source_unseen_seconds')]
    .map(({ labels: { source = '' }, value }) => ({ source, value, age: ages.get(source) }))
    .sort((one, other) => other.value - one.value || (other.age ?? Infinity) - (one.age ?? Infinity) || 0)
    .map(({ source, value, age }) => row(source, age, 2, value));
  const jobAges = agesOf('job');
  const daysOf = new Map([...jobAges.keys()].map((job): [string, OperatorFacts['jobDays']] => [job, []]));
  for (const each of jobDays) daysOf.set(each.job, [...(daysOf.get(each.job) ?? []), each]);
  // What is due each minute leaves no trace where there is nothing to do: it has no age.
  const jobs = [...daysOf].map(([job, days]) => [
    ...(jobAges.has(job) ? row(job, jobAges.get(job), 1.5) : [job, '', '']),
    strip(days),
  ]);
  return html`${table('Sources', ['Source', 'Age in periods', 'State'], sources)}
${table('Jobs', ['Job', 'Age in periods', 'State', 'Seven days'], jobs)}`;
}

/** A box for each day: whether all runs went well, some, or none. */
function strip(days: OperatorFacts['jobDays']): Markup {
  const kind = ({ runs, failed }: (typeof days)[number]): string =>
    runs === 0 ? 'none' : failed === 0 ? 'fresh' : failed < runs ? 'late' : 'failed';
  const told = days.map(({ day, runs, failed }) => `${day.slice(5)}: ${failed} of ${runs} failed`);
  return html`<svg class="strip" viewBox="0 0 112 16" role="img" aria-label="${told.join(', ') || 'no runs'}">${days.map((each, at) => html`<rect class="${kind(each)}" x="${at * 16 + 1}" y="1" width="14" height="14"><title>${told[at]}</title></rect>`)}</svg>`;
}

function instances({ instances: all }: OperatorFacts, { obstacle }: Pick<OperatorPageInputs, 'obstacle'>): Markup {
  // Of itself it knows more than its row.
  const own = obstacle === undefined ? 'ready' : 'not ready';
  return table(
    'Instances of the last day',
    ['Instance', 'State', 'Version', 'Relayer key'],
    all.map(({ name, isThis, version, relayer, ...row }) => {
      const state = isThis ? own : row.state;
      return [
        name,
        html`<span class="chip ${state === 'ready' ? 'fresh' : state === 'stopping' ? 'late' : 'failed'}">${state}</span>`,
        html`${version}`,
        relayer === null ? 'none' : html`<code>${relayer}</code>`,
      ];
    }),
  );
}

/** What the figure says at most. */
const mostRunwaySeconds = 30 * 86_400;

function gas(figure: ReadFigure): Markup {
  const [relayer] = figure('relayer_leased');
  return html`${figures([
    [
      'lasts at the rate of the last day',
      tell(
        figure('relayer_runway_seconds'),
        (value) => `${showCount(Math.floor(value / 3600))} h${value < mostRunwaySeconds ? '' : ' or more'}`,
      ),
    ],
    ['settlements left', tell(figure('relayer_runway_settlements'), (value) => showCount(Math.floor(value)))],
  ])}
<p class="hint">${relayer === undefined ? 'This instance holds no relayer key.' : html`This instance settles with <code>${relayer.labels['relayer']}</code>.`}</p>`;
}

function ledger(figure: ReadFigure): Markup {
  return figures([
    ['chain less ledger', tell(figure('ledger_difference_microusdc'), (value) => showUsd((value / 1e6).toFixed(2)))],
    ['lost sales', tell(figure('lost_sales'), showCount)],
    [
      'oldest open payment',
      tell(figure('oldest_open_payment_seconds'), (value) => `${showCount(Math.round(value))} s`),
    ],
    ['refunds due', tell(figure('refunds_due'), showCount)],
  ]);
}

function tell([read]: ReturnType<ReadFigure>, show: (value: number) => string): string {
  return read === undefined ? 'not known' : show(read.value);
}

function figures(shown: readonly (readonly [label: string, value: string])[]): Markup {
  return html`<dl class="figures">${shown.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** All columns but the first are numbers where all of their cells are texts that begin so. */
function table(caption: string, [first, ...others]: readonly string[], rows: readonly (readonly Piece[])[]): Markup {
  if (rows.length === 0) return html`<p class="empty">${caption}: none yet.</p>`;
  const isNumber = others.map((_, at) => rows.every((row) => /^(?:[−$\d]|never$)/.test(String(row[at + 1]))));
  const kind = (at: number): Markup | undefined => (isNumber[at] ? html` class="number"` : undefined);
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">${first}</th>${others.map((each, at) => html`<th scope="col"${kind(at)}>${each}</th>`)}</tr></thead>
<tbody>${rows.map(([head, ...cells]) => html`<tr><th scope="row">${head}</th>${cells.map((cell, at) => html`<td${kind(at)}>${cell}</td>`)}</tr>`)}</tbody>
</table>
</div>`;
}
