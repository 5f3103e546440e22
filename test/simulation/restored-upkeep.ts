import { pino } from 'pino';
import { auditLedger } from '../../src/payments/audit/audit-ledger.js';
import { operationsByPrice, rebuildLedger, type RebuildPorts } from '../../src/payments/audit/rebuild-ledger.js';
import { createHeartbeat } from '../../src/payments/settlement/heartbeat.js';
import { createRestoredLedger } from '../../src/payments/settlement/restored-ledger.js';
import type { Parts } from './instance-parts.js';
import type { Instance } from './instance.js';
import { createModelAudit } from './model-audit.js';
import { createModelHeartbeatStore } from './model-heartbeat-store.js';
import { relayers } from './purchase.js';
import { contract } from './shell.js';
import type { Wire } from './wire.js';
import type { World } from './world.js';

interface UpkeepParts extends Parts {
  readonly instance: Instance;
  readonly wire: Wire;
  readonly now: () => Date;
}

const beatMs = 5_000;
/** Shorter than the time after which a silent database counts as away. */
const calmBeatMs = 10_000;
const operations = operationsByPrice(contract.operations);
const silent = pino({ level: 'silent' });

/** The real heartbeat of one instance, and its rebuilding, where a ledger is restored. */
export function createRestoredUpkeep(world: World, parts: UpkeepParts) {
  const { scheduler, variant, audits, isEmbedded } = world;
  const { instance, wire, now, history, settling } = parts;
  const { problems, use, node, nextNonce } = settling;
  const elapsedMs = () => scheduler.now();
  const restored = createRestoredLedger(elapsedMs);
  const ledger = variant.restoredLedger?.(restored) ?? restored;
  const heartbeat = createHeartbeat({
    store: createModelHeartbeatStore(world, wire, { owner: instance.owner, name: instance.name.charAt(0) }),
    relayers,
    countNonces: (address) => node.getTransactionCount({ address, blockTag: 'latest' }),
    ledger,
    isAlone: isEmbedded,
    ...{ use, nextNonce, problems, elapsedMs, log: silent },
    isReady: () => problems.current() === undefined,
    clock: now,
  });
  const audit = createModelAudit(world, wire, history.scope);
  const ports: RebuildPorts = {
    ...{ ...(variant.audit?.(audit, world.tables) ?? audit), history, now, operations, relayers, log: silent },
    ...{ ledger: parts.ledger, evidence: parts.reconcilerEvidence, owner: instance.owner },
  };

  let isRebuilding = false;

  async function beat(): Promise<void> {
    await heartbeat.beat();
    wire.after(world.faults.stopped ? calmBeatMs : beatMs, () => void beat());
  }

  return {
    start: beat,
    /** As the job does, until everything that has landed is final. */
    async rebuild(): Promise<void> {
      // A job does not run beside itself.
      if (isRebuilding || variant.rebuilds === false || audits.restores.length === 0) return;
      isRebuilding = true;
      try {
        const finalized = await history.finalizedBlock();
        await rebuildLedger(ports);
        const left = audits.restores.filter((restoredAt) => restoredAt > finalized.time);
        audits.restores.splice(0, audits.restores.length, ...left);
      } finally {
        isRebuilding = false;
      }
    },
    /** How the ledger stands. */
    audit: () => auditLedger(ports),
  };
}
