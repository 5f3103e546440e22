import { createWriteBehind } from '../../db/sql/write-behind.js';
import type { WrittenReportInputs } from './report-inputs.js';
import type { ReportInputsDraft, ReportInputsStore } from './report-inputs-store.js';

/** A deal that is about to be published. */
export interface DealWithReportInputs {
  readonly id: string;
  readonly inputs: WrittenReportInputs;
}

const rowsPerStatement = 100;

/** A listing's deal; undefined when it has none that may be offered. */
interface PossibleDeal {
  readonly id: string;
  readonly item: DealWithReportInputs | undefined;
}

/**
 * Passes deals through to the next version of their feed, and saves the report inputs of each under that version. All
 * are saved once the last deal has been consumed, so before the feed moves. Safe to repeat after a crash at any point.
 *
 * @param isWhole whether these are all deals; otherwise the report inputs of all other deals stay as they are
 */
export async function* keepReportInputs<Change extends PossibleDeal>(
  changes: AsyncIterable<readonly Change[]>,
  store: ReportInputsStore,
  draft: ReportInputsDraft,
  isWhole: boolean,
): AsyncGenerator<readonly Change[]> {
  await store.begin(draft);
  const kept: string[] = [];
  const writer = createWriter(store, draft);
  try {
    for await (const chunk of changes) {
      const deals = chunk.flatMap(({ item }) => item ?? []);
      await writer.add(deals);
      const gone = chunk.filter(({ item }) => item === undefined).map(({ id }) => id);
      if (isWhole) kept.push(...deals.map(({ id }) => id));
      else if (gone.length > 0) await store.retire(draft, gone);
      yield chunk;
    }
    await writer.flush();
    if (isWhole) await store.retireOthers(draft, kept);
  } finally {
    await writer.settle();
  }
}

function createWriter(store: ReportInputsStore, draft: ReportInputsDraft) {
  let pending: WrittenReportInputs[] = [];
  const writes = createWriteBehind();

  /** Writes while the next deals are composed. A failed write makes the next write or the flush throw. */
  async function writePending(): Promise<void> {
    if (pending.length === 0) return;
    await writes.begin(() => store.write(draft, pending));
    pending = [];
  }

  return {
    async flush(): Promise<void> {
      await writePending();
      await writes.done();
    },
    async add(deals: readonly DealWithReportInputs[]): Promise<void> {
      pending.push(...deals.map(({ inputs }) => inputs));
      if (pending.length >= rowsPerStatement) await writePending();
    },
    settle: writes.settle,
  };
}
