import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../../errors.js';
import type { Log } from '../../../log.js';
import type { TellProblem } from '../settlement-problems.js';
import type { FacilitatorClient, SupportedAnswer } from './facilitator-client.js';

const failuresInARow = 3;

/** Knows whether the facilitator that settles is able to. */
export type FacilitatorWatch = ReturnType<typeof createFacilitatorWatch>;

/** Watches one facilitator. While it is down it is asked again with growing pauses, until anything works. */
export function createFacilitatorWatch(options: {
  readonly facilitator: FacilitatorClient;
  /** CAIP-2. */
  readonly networkId: string;
  readonly problems: TellProblem;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly pausesMs?: { readonly first: number; readonly longest: number };
}) {
  const { facilitator, networkId, problems, log, pausesMs = { first: 1_000, longest: 60_000 } } = options;
  const { host } = facilitator;
  const closing = new AbortController();
  let failures = 0;
  let obstacle: string | undefined;

  function rise(): void {
    failures = 0;
    if (obstacle !== undefined) log.info({ host }, 'the facilitator is back');
    obstacle = undefined;
    problems.tell('facilitator', obstacle);
  }

  function fall(because: string): void {
    const wasDown = obstacle !== undefined;
    obstacle = because;
    problems.tell('facilitator', obstacle);
    if (wasDown) return;
    log.warn({ host, obstacle }, 'nothing can be bought');
    void probe();
  }

  async function probe(): Promise<void> {
    for (let pauseMs = pausesMs.first; ; pauseMs = Math.min(pauseMs * 2, pausesMs.longest)) {
      await delay(pauseMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      if (closing.signal.aborted || obstacle === undefined) return;
      apply(await facilitator.supports(networkId));
    }
  }

  function apply(answer: SupportedAnswer): void {
    if (answer === 'none') fall('The payment facilitator does not answer.');
    else if (answer === 'unsupported') fall(`The payment facilitator does not take payments on ${networkId} now.`);
    else rise();
  }

  return {
    /**
     * Asks what it supports. If it does not answer, the server starts all the same: what is sold is configured, not
     * learned.
     *
     * @throws OperatorError when it says that it does not take our kind of payment
     */
    async start() {
      const answer = await facilitator.supports(networkId);
      if (answer === 'unsupported')
        throw new OperatorError(
          `The facilitator ${host} does not take scheme exact of x402 version 2 on ${networkId}. Change FACILITATOR_URL or NETWORK.`,
        );
      if (answer === 'unlisted') log.warn({ host }, 'the facilitator does not list what it supports');
      apply(answer);
    },
    /** Call it after each exchange, with whether it did its work. */
    record(worked: boolean) {
      if (worked) rise();
      else if (++failures >= failuresInARow) fall('The payment facilitator does not answer.');
    },
    close: () => closing.abort(),
  };
}
