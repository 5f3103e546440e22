import { Counter, type Registry } from 'prom-client';
import type { Database } from '../../db/database.js';
import { onNamed } from '../../db/sql/run-named.js';
import { createTimes } from './create-times.js';

/** Of SQLSTATE: connections, data, constraints, transactions, rights, conflicts, resources, state, the server, bugs. */
const classes = ['08', '22', '23', '25', '28', '40', '42', '53', '55', '57', '58', 'XX'];
/** A statement that is streamed may not tell of its end. */
const mostOpen = 1_000;

/** Counts the statements of a database and their errors. */
export function countStatements(knex: Database['knex'], registry: Registry): void {
  const kinds = ['claim', 'finish', 'other'] as const;
  const times = createTimes(registry, 'db_seconds', 'How long statements took.', 'statement', kinds);
  const label = { help: 'Statements that failed, by SQLSTATE class.', labelNames: ['class'], registers: [registry] };
  const errors = new Counter({ name: 'deals_db_errors_total', ...label });
  for (const each of [...classes, 'other']) errors.labels(each).inc(0);
  const begun = new Map<string, number>();

  function fail(error: unknown): void {
    const state = error instanceof Error && 'code' in error ? String(error.code).slice(0, 2) : '';
    errors.labels(classes.includes(state) ? state : 'other').inc();
  }

  function end({ __knexQueryUid: id }: Asked): void {
    times.observe('other', (performance.now() - (begun.get(id) ?? performance.now())) / 1_000);
    begun.delete(id);
  }

  knex.on('query', ({ __knexQueryUid: id }: Asked) => {
    if (begun.size < mostOpen) begun.set(id, performance.now());
  });
  knex.on('query-response', (_, asked: Asked) => end(asked));
  knex.on('query-error', (error, asked: Asked) => {
    end(asked);
    fail(error);
  });
  onNamed(knex, ({ name, ms, error }) => {
    const kind = name.startsWith('payment_claim') ? 'claim' : name === 'payment_finish' ? 'finish' : 'other';
    times.observe(kind, ms / 1_000);
    if (error !== undefined) fail(error);
  });
}

interface Asked {
  readonly __knexQueryUid: string;
}
