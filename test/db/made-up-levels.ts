import { migrations, type NamedMigration } from '../../src/db/migrate.js';

/** As there may be in a later release: something is added, an index is built, and what nobody uses any more goes. */
export const madeUpLevels: readonly NamedMigration[] = [
  ...migrations,
  {
    name: '002-made-up',
    release: '1.1.0',
    does: 'adds a note to each settler, and keeps them from being written meanwhile',
    async change(transaction) {
      await transaction.raw('alter table settlers add column note text');
      await transaction.raw('update settlers set note = upper(network)');
      await transaction.raw('create table drafts (id integer primary key)');
    },
  },
  {
    name: '003-made-up',
    release: '1.1.0',
    does: 'makes settlers searchable by their notes',
    change: { index: 'settlers_note', on: 'settlers (note)' },
  },
  {
    name: '004-made-up',
    release: '1.2.0',
    oldest: { level: 3, release: '1.1.0' },
    does: 'drops the drafts',
    change: async (transaction) => transaction.raw('drop table drafts'),
  },
];
