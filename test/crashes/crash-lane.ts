import { crashPoints, fates } from '../support/crash-messages.js';
import { nameOf, planLives, type Cell } from './cells.js';
import { openCrashShop, type CrashShopOptions } from './crash-shop.js';

/** Cells that run on one shop, life after life of its server, beside other lanes. */
export interface CrashLane {
  /** Resolves when the cell's life has ended and the cell has passed; rejects with its failure. */
  result(cell: Cell): Promise<void>;
  /** Settles when all cells have ended and the ledger was compared with the chain. */
  readonly conserved: Promise<void>;
  /** Closes the shop. */
  close(): Promise<void>;
  /** Results by step and outcome, with the seconds of the life. */
  renderTable(): string;
}

/** Starts at once. */
export function startCrashLane(options: CrashShopOptions, cells: readonly Cell[]): CrashLane {
  const opening = openCrashShop(options);
  const verdicts = new Map<string, string>();
  let last: Promise<unknown> = opening;

  function runAfterLast<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  }

  async function run(life: readonly Cell[]): Promise<ReadonlyMap<string, unknown>> {
    const startMs = performance.now();
    for (const cell of life) verdicts.set(nameOf(cell), 'FAIL');
    const faults = await (await opening).crash(life);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    for (const cell of life) if (!faults.has(nameOf(cell))) verdicts.set(nameOf(cell), `ok ${seconds}`);
    return faults;
  }

  const lives = planLives(cells).map((life) => ({ life, faults: runAfterLast(() => run(life)) }));
  const conserved = runAfterLast(async () => (await opening).assertConserved());
  return {
    async result(cell) {
      const faults = await lives.find(({ life }) => life.includes(cell))?.faults;
      const fault = faults?.get(nameOf(cell));
      if (fault !== undefined) throw fault;
    },
    conserved,
    close: () => runAfterLast(async () => (await opening).close()),
    renderTable: () => renderTable((cell) => verdicts.get(nameOf(cell)) ?? '-'),
  };
}

function renderTable(entry: (cell: Cell) => string): string {
  const steps = crashPoints.flatMap((point) => [`before ${point}`, `after ${point}`] as const);
  const rows = steps.map((step) => [step, ...fates.map((fate) => entry({ step, fate }))]);
  return [['', ...fates], ...rows].map((row) => `    ${row.map((text) => text.padEnd(16)).join('')}\n`).join('');
}
