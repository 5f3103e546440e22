import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type IConfiguration } from 'dependency-cruiser';
import { findProjectFile } from '../src/project-file.js';

const walls: IConfiguration = createRequire(import.meta.url)(findProjectFile('.dependency-cruiser.cjs'));

/** A house in which everything that is imported below exists. */
const sound: Readonly<Record<string, string>> = {
  'src/errors.ts': 'export const error = 1;',
  'src/config/config.ts': "import { error } from '../errors.js';\nexport const config = error;",
  'src/app.ts': "import { store } from './feeds/deal-feed-store.js';\nexport const app = store;",
  'src/main.ts': "import '../jobs/clock.js';\nimport './app.js';",
  'src/transport/http/server.ts': "import express from 'express';\nexport const server = express;",
  'src/payments/chain/eip3009.ts': "import 'viem';\nexport type Hex = string;",
  'src/api/handlers.ts': "import type { Deal } from '../../generated/types.gen.js';\nexport type Handler = Deal;",
  'src/feeds/deal-feed-store.ts': "import type { Knex } from 'knex';\nexport const store = (knex: Knex) => knex;",
  'src/listings/listing.ts': "import { error } from '../errors.js';\nexport type Listing = typeof error;",
  'src/deals/scoring/score.ts':
    "import type { Listing } from '../../listings/listing.js';\nexport type Score = Listing;",
  'src/demo/accounts.ts': "import 'viem';\nexport const account = 1;",
  'jobs/clock.ts': "import 'node-cron';\nimport '../src/feeds/deal-feed.js';",
  'src/feeds/deal-feed.ts': "import { store } from './deal-feed-store.js';\nexport const feed = store;",
  'generated/types.gen.ts': 'export type Deal = string;',
};

/** What somebody could be tempted to write, and the wall that it runs into. */
const breaches: readonly (readonly [wall: string, what: string, files: Readonly<Record<string, string>>])[] = [
  [
    'entries-of-deals/scoring',
    'a business rule that knows of http',
    { 'src/deals/scoring/rule.ts': "import '../../transport/http/server.js';" },
  ],
  [
    'entries-of-payments/gate',
    'a room that reads the configuration',
    { 'src/payments/gate/gate.ts': "import '../../config/config.js';" },
  ],
  [
    'entries-of-payments/ledger',
    'a ledger that knows the gate',
    {
      'src/payments/ledger/ledger.ts': "import '../gate/gate.js';",
      'src/payments/gate/gate.ts': 'export const gate = 1;',
    },
  ],
  [
    'entries-of-payments/settlement',
    'a settlement that knows the gate',
    {
      'src/payments/settlement/settler.ts': "import '../gate/gate.js';",
      'src/payments/gate/gate.ts': 'export const gate = 1;',
    },
  ],
  [
    'entries-of-payments/gate',
    'payments that lean on the demonstration',
    { 'src/payments/gate/gate.ts': "import '../../demo/accounts.js';" },
  ],
  [
    'entries-of-operations',
    'a room within another that may be entered',
    { 'src/operations/run.ts': "import type { Hex } from '../payments/chain/eip3009.js';\nexport type H = Hex;" },
  ],
  [
    'entries-of-transport/http',
    'generated types in http, be it only as types',
    {
      'src/transport/http/send.ts':
        "import type { Deal } from '../../../generated/types.gen.js';\nexport type Sent = Deal;",
    },
  ],
  ['generated-stands-outside', 'a job that knows the wire', { 'jobs/job.ts': "import '../generated/types.gen.js';" }],
  ['jobs-are-not-known', 'a room that knows the clock', { 'src/feeds/publish.ts': "import '../../jobs/clock.js';" }],
  ['jobs-are-not-known', 'an app that knows the clock', { 'src/app.ts': "import '../jobs/clock.js';" }],
  [
    'store-of-feeds',
    "writing into another room's tables",
    { 'src/deals/deal.ts': "import '../feeds/deal-feed-store.js';" },
  ],
  [
    'store-of-feeds',
    "a job that writes a room's tables",
    { 'jobs/job.ts': "import '../src/feeds/deal-feed-store.js';" },
  ],
  ['key-to-express', 'express outside http', { 'src/api/handlers.ts': "import 'express';" }],
  ['key-to-openapi-backend', 'routing outside http', { 'src/operations/run.ts': "import 'openapi-backend';" }],
  ['key-to-ajv', 'Ajv outside contract', { 'src/feeds/prove.ts': "import 'ajv/dist/2020.js';" }],
  [
    'key-to-knex',
    'SQL in a rule',
    { 'src/underwriting/rule.ts': "import type { Knex } from 'knex';\nexport type K = Knex;" },
  ],
  ['key-to-viem', 'the chain in an operation', { 'src/api/handlers.ts': "import 'viem/accounts';" }],
  ['key-to-node-cron', 'a second clock', { 'src/feeds/tick.ts': "import 'node-cron';" }],
  ['no-development-packages', 'a server that needs a test tool', { 'src/db/seed.ts': "import 'fast-check';" }],
  [
    'no-cycles',
    'a cycle of types only',
    {
      'src/listings/one.ts': "import type { Two } from './two.js';\nexport type One = Two;",
      'src/listings/two.ts': "import type { One } from './one.js';\nexport type Two = One | 1;",
    },
  ],
  ['no-unknown-room', 'a room for everything', { 'src/utils/strings.ts': "import '../errors.js';" }],
  [
    'ground-rests-on-nothing',
    'ground that rests on the house',
    { 'src/errors.ts': "import './transport/http/server.js';" },
  ],
  ['nothing-unresolved', 'a file that is not there', { 'src/api/handlers.ts': "import './gone.js';" }],
];

/** The names of the walls that this house breaks. */
async function findBroken(files: Readonly<Record<string, string>>): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'walls-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), text);
    }
    copyFileSync(findProjectFile('package.json'), join(directory, 'package.json'));
    symlinkSync(findProjectFile('node_modules'), join(directory, 'node_modules'));
    const { output } = await cruise(['src', 'jobs', 'generated'], {
      ...walls.options,
      ruleSet: { forbidden: walls.forbidden ?? [] },
      validate: true,
      baseDir: directory,
    });
    if (typeof output === 'string') throw new Error(output);
    return [...new Set(output.summary.violations.map(({ rule }) => rule.name))];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe('the walls of the house', () => {
  it('let through what belongs together', async () => {
    assert.deepEqual(await findBroken(sound), []);
  });

  for (const [wall, what, files] of breaches) {
    it(`${wall} refuses ${what}`, async () => {
      assert.ok((await findBroken({ ...sound, ...files })).includes(wall));
    });
  }
});
