import type { Figures } from '../src/operator/socket/operator-commands.js';
import type { Order } from '../src/operator/socket/messages.js';
import { OperatorError } from '../src/errors.js';
import type { Pipeline } from '../src/publishing/pipeline.js';
import type { JobContext } from './job.js';

/**
 * Runs an operator's order on the feed. For a suppression, or a source removed or restored, runs its publication.
 *
 * @throws OperatorError when the order cannot be carried out
 */
export async function runOrder(
  work: Pick<Pipeline, 'ingest' | 'publish' | 'publishIfBehind'>,
  order: Order,
  { onProgress, signal }: Pick<JobContext, 'onProgress' | 'signal'>,
): Promise<Figures> {
  if (order.do === 'restore-source') {
    const { changed, signals, auctions } = await work.publish('all', { onProgress });
    return { deals: changed, signals, auctions };
  }
  if (order.do !== 'ingest') {
    const { retired = 0, signals = 0, auctions = 0 } = (await work.publishIfBehind(onProgress)) ?? {};
    return { deals: retired, signals, auctions };
  }
  const { source, since, dryRun, acceptShrink } = order;
  const how = { dryRun, acceptShrink, ...(since === undefined ? {} : { since }) };
  const [run] = await work.ingest(onProgress, { source, signal, ...how });
  if (run === undefined) throw new OperatorError(`The source ${source} was not read.`);
  const { status, rows, accepted, rejected, created, retired, problem } = run;
  if (problem !== undefined) throw new OperatorError(`${source} ${status}: ${problem}`);
  return { status, rows, accepted, rejected, created, retired };
}
