import type { PublicClient } from 'viem';

/** Translates times to block numbers, whatever the cadence of the chain. See docs/decisions/payments.md. */
export interface BlockTimes {
  /**
   * The number of the first block whose timestamp is at or after `time`, in whole seconds: 0 before the birth of the
   * chain, and the block that follows the newest one where the chain has not come so far. Rejects as the node does.
   */
  blockAt(time: Date): Promise<bigint>;
  /** The milliseconds between two blocks of the last minutes: a guess, good enough for pauses. */
  blockMs(): Promise<number>;
  /** How far the newest finalized block is behind the newest one, in milliseconds, as of the last minute. */
  finalityLagMs(): Promise<number>;
}

interface Header {
  readonly number: number;
  /** Unix seconds. Several blocks may share one second. */
  readonly time: number;
}

interface KeptHeader extends Header {
  /** When it may have been replaced; never once it is final. */
  readonly untilMs: number;
}

const mostKept = 1_000;
/** How long a block that is not final is taken for what it was, and how long a finalized block for the newest. */
const youngMs = 60_000;
const measureEveryMs = 600_000;
/** A measure of the cadence over less says little: timestamps are whole seconds. */
const measureSeconds = 60;
const firstStep = 300;
const mostMisses = 3;
/** The rounding error of a division, in blocks. */
const rounding = 0.05;

/**
 * @param nowMs milliseconds of a monotonic clock
 */
export function createBlockTimes(client: Pick<PublicClient, 'getBlock'>, nowMs: () => number): BlockTimes {
  const kept = new Map<number, KeptHeader>();
  let finalized = { number: -1, untilMs: -Infinity };
  let cadence: { readonly blocksPerSecond: number; readonly untilMs: number } | undefined;

  async function readNumber(number: number): Promise<Header> {
    return keep(await readHeader(client, { blockNumber: BigInt(number) }));
  }

  async function readLatest(): Promise<Header> {
    if (finalized.untilMs <= nowMs()) {
      const { number } = await readHeader(client, { blockTag: 'finalized' });
      finalized = { number, untilMs: nowMs() + youngMs };
    }
    return keep(await readHeader(client, { blockTag: 'latest' }));
  }

  function keep(header: Header): Header {
    const untilMs = header.number <= finalized.number ? Infinity : nowMs() + youngMs;
    kept.set(header.number, { ...header, untilMs });
    const [oldest = -1] = kept.keys();
    if (kept.size > mostKept) kept.delete(oldest);
    return header;
  }

  /** The kept headers next to a time: the newest before it, and the oldest at or after it. */
  function findAround(time: number, isMeant: (header: Header) => boolean = () => true) {
    let before: Header | undefined;
    let after: Header | undefined;
    for (const header of kept.values()) {
      if (header.untilMs <= nowMs()) kept.delete(header.number);
      else if (!isMeant(header)) continue;
      else if (header.time < time) before = before && before.number > header.number ? before : header;
      else after = after && after.number < header.number ? after : header;
    }
    return { before, after };
  }

  /** True where a header is known to be the first of its second. */
  function isFirst({ number, time }: Header): boolean {
    return number === 0 || (kept.get(number - 1)?.time ?? time) < time;
  }

  async function measure(newest: Header): Promise<number> {
    if (cadence !== undefined && cadence.untilMs > nowMs()) return cadence.blocksPerSecond;
    let step = firstStep;
    let past = newest;
    // By the numbers that were asked for: a node may answer with others.
    for (let asked = newest.number; newest.time - past.time < measureSeconds && asked > 0; step *= 8) {
      asked = Math.max(0, newest.number - step);
      past = await readNumber(asked);
    }
    const seconds = newest.time - past.time;
    const blocksPerSecond = seconds === 0 ? 1 : (newest.number - past.number) / seconds;
    cadence = { blocksPerSecond, untilMs: nowMs() + measureEveryMs };
    return blocksPerSecond;
  }

  /** A header before a time, found in growing steps. */
  async function findBefore(time: number, start: Header): Promise<{ before?: Header; after: Header }> {
    let after = start;
    let step = (after.time - time + 2) * (await measure(after)) + 1;
    while (after.number > 0) {
      const header = await readNumber(Math.max(0, after.number - Math.ceil(step)));
      if (header.time < time) return { before: header, after };
      after = header;
      step *= 2;
    }
    return { after };
  }

  /** The first block at or after a time, between two headers: by guesses from the cadence, then by halves. */
  async function narrow(time: number, first: Header, last: Header): Promise<number> {
    let [before, after] = [first, last];
    let isBelowNext = true;
    let misses = 0;
    while (after.number - before.number > 1) {
      const span = after.number - before.number;
      const blocksPerSecond = span / (after.time - before.time);
      const exact = findAround(time, (header) => blocksPerSecond <= 1 || isFirst(header));
      const isExact = exact.before !== undefined && exact.after !== undefined;
      const { before: from = before, after: to = after } = isExact ? exact : {};
      const share = (time - from.time - (isExact ? 0 : 0.5)) / (to.time - from.time);
      const guess = Math.ceil(from.number + share * (to.number - from.number) - rounding);
      const slack = isExact ? 0 : Math.ceil(blocksPerSecond);
      const [below, above] = [guess - 1 - slack, guess + slack];
      const probes = isBelowNext ? [below, above] : [above, below];
      const mayGuess = misses < mostMisses && (isExact || span > 2 * slack + 2);
      const guessed = probes.find((each) => mayGuess && each > before.number && each < after.number);
      const header = await readNumber(guessed ?? before.number + Math.floor(span / 2));
      const isBelow = header.time < time;
      if (isBelow) before = header;
      else after = header;
      isBelowNext = !isBelow;
      // Where the cadence has changed in between, guesses mislead.
      if (guessed !== undefined && isBelow !== (guessed === below)) misses++;
    }
    return after.number;
  }

  return {
    async blockAt(at) {
      const time = Math.ceil(at.getTime() / 1000);
      let { before, after } = findAround(time);
      after ??= await readLatest();
      if (after.time < time) return BigInt(after.number + 1);
      if (before === undefined && after.number > 0) ({ before, after } = await findBefore(time, after));
      return BigInt(before === undefined ? after.number : await narrow(time, before, after));
    },
    async blockMs() {
      return 1000 / (await measure(await readLatest()));
    },
    finalityLagMs: measureFinality(client, nowMs),
  };
}

function measureFinality(client: Pick<PublicClient, 'getBlock'>, nowMs: () => number): BlockTimes['finalityLagMs'] {
  let measured = { lagMs: 0, untilMs: -Infinity };
  return async () => {
    if (measured.untilMs > nowMs()) return measured.lagMs;
    const { time } = await readHeader(client, { blockTag: 'finalized' });
    const latest = await readHeader(client, { blockTag: 'latest' });
    measured = { lagMs: (latest.time - time) * 1000, untilMs: nowMs() + youngMs };
    return measured.lagMs;
  };
}

async function readHeader(
  client: Pick<PublicClient, 'getBlock'>,
  block: { blockNumber: bigint } | { blockTag: 'latest' | 'finalized' },
): Promise<Header> {
  const { number, timestamp } = await client.getBlock(block);
  if (number === null) throw new Error('The node answered with a pending block');
  return { number: Number(number), time: Number(timestamp) };
}
