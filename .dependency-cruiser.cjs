'use strict';
// The walls of the house, checked by `npm run check:walls`. What is not written here is not allowed.

/** Everyone stands on these; they stand on nothing. */
const ground = ['absence', 'decimal-text', 'errors', 'log', 'project-file'];

/**
 * Rooms of src/ and the rooms each may enter. A room that is not in this table may not exist. A room within a room has a row of
 * its own: whoever may enter the outer one may not enter it.
 */
const entries = {
  // the world outside, and what everything rests on
  wire: [],
  'payments/chain': ['wire'],
  contract: ['wire'],
  db: [],
  limits: [],
  secrets: [],
  config: ['limits', 'payments/chain', 'payments/settlement', 'secrets', 'underwriting', 'wire'],
  // the business: nothing of it knows the wire, the contract or money
  'places/addresses': [],
  'places/metros': [],
  listings: ['db', 'places/addresses', 'places/metros', 'policy'],
  policy: ['places/addresses'],
  'counties/parcels': ['db', 'places/addresses'],
  'counties/matches': ['counties/auctions', 'counties/signals', 'places/addresses'],
  'counties/signals': ['counties/parcels', 'db', 'places/addresses', 'policy'],
  'counties/auctions': ['counties/parcels', 'db', 'places/addresses', 'places/metros', 'policy'],
  'underwriting/rents': ['db', 'places/metros'],
  sources: [
    'counties/auctions',
    'counties/parcels',
    'counties/signals',
    'db',
    'listings',
    'places/addresses',
    'places/metros',
    'policy',
    'underwriting/rents',
  ],
  underwriting: ['db', 'listings', 'places/metros', 'underwriting/rents'],
  'deals/scoring': ['listings', 'places/metros', 'underwriting'],
  deals: [
    'counties/auctions',
    'counties/matches',
    'deals/scoring',
    'listings',
    'places/metros',
    'sources',
    'underwriting',
  ],
  'deals/leads': ['counties/auctions', 'counties/signals', 'deals', 'deals/scoring', 'places/metros', 'sources'],
  'deals/reports': ['counties/matches', 'db', 'deals', 'deals/scoring', 'listings', 'places/metros', 'underwriting'],
  // what is sold, and for what
  feeds: ['contract', 'db', 'places/addresses', 'secrets'],
  'payments/ledger': ['contract', 'db', 'payments/chain'],
  'payments/settlement': ['db', 'payments', 'payments/chain', 'payments/ledger', 'wire'],
  'payments/gate': [
    'contract',
    'limits',
    'payments',
    'payments/chain',
    'payments/ledger',
    'payments/settlement',
    'wire',
  ],
  payments: [
    'contract',
    'db',
    'limits',
    'payments/chain',
    'payments/gate',
    'payments/ledger',
    'payments/settlement',
    'secrets',
    'wire',
  ],
  // the wire: records are the only place where domain becomes wire, operations are free of any transport, api answers
  records: [
    'contract',
    'counties/auctions',
    'counties/matches',
    'counties/signals',
    'deals',
    'deals/leads',
    'deals/reports',
    'deals/scoring',
    'feeds',
    'generated',
    'places/metros',
    'sources',
    'underwriting',
  ],
  'pages/discovery': ['contract'],
  operations: ['contract', 'payments', 'payments/gate', 'secrets', 'wire'],
  pages: ['contract', 'generated', 'operations', 'places/metros', 'wire'],
  api: [
    'contract',
    'counties/matches',
    'deals/reports',
    'feeds',
    'generated',
    'operations',
    'pages',
    'pages/discovery',
    'payments',
    'places/addresses',
    'places/metros',
    'records',
    'sources',
    'underwriting',
    'wire',
  ],
  publishing: [
    'config',
    'contract',
    'counties/auctions',
    'counties/matches',
    'counties/signals',
    'db',
    'deals',
    'deals/leads',
    'deals/reports',
    'feeds',
    'generated',
    'listings',
    'payments/ledger',
    'places/addresses',
    'places/metros',
    'policy',
    'records',
    'sources',
    'underwriting',
    'underwriting/rents',
  ],
  'transport/http': ['contract', 'limits', 'operations'],
  'transport/mcp': ['contract', 'operations', 'payments', 'payments/gate', 'payments/ledger', 'wire'],
  // beside the house
  generated: [],
  terminal: [],
  client: ['generated', 'terminal', 'wire'],
  'pages/browser': ['client', 'deals/reports', 'generated', 'pages', 'underwriting', 'underwriting/rents', 'wire'],
  demo: ['payments/chain', 'payments/settlement', 'places/metros', 'sources', 'underwriting/rents', 'wire'],
  'operator/socket': [],
  'operator/checks': [
    'config',
    'db',
    'limits',
    'payments',
    'payments/chain',
    'payments/settlement',
    'sources',
    'underwriting',
    'underwriting/rents',
    'wire',
  ],
  'operator/metrics': [
    'pages',
    'contract',
    'db',
    'operations',
    'payments',
    'payments/chain',
    'payments/settlement',
    'places/metros',
    'sources',
    'wire',
  ],
  'operator/port': [
    'config',
    'db',
    'limits',
    'operations',
    'operator/checks',
    'operator/cli',
    'operator/metrics',
    'pages',
  ],
  'operator/cli': ['operator/checks', 'operator/socket', 'terminal', 'wire'],
};

/** Packages and the only places that may import them, as paths below the root. */
const keys = {
  express: ['src/transport/http/'],
  'openapi-backend': ['src/transport/http/'],
  '@modelcontextprotocol/server': ['src/transport/mcp/', 'src/client/mcp/'],
  ajv: ['src/contract/'],
  'ajv-formats': ['src/contract/'],
  'js-yaml': ['src/contract/'],
  viem: ['src/payments/chain/', 'src/payments/', 'src/client/', 'src/demo/'],
  'hash-wasm': ['src/payments/chain/'],
  '@bitauth/libauth': ['src/payments/chain/'],
  parse5: ['src/sources/formats/html/'],
  'node-cron': ['jobs/'],
  pino: ['src/log\\.ts'],
  'prom-client': ['src/operator/metrics/'],
  pg: ['src/db/'],
  '@electric-sql/pglite': ['src/db/'],
  // SQL is spoken by stores (writes), readers (questions), and these; a use case may be handed a connection to pass on.
  knex: [
    'src/db/',
    '.*-store\\.ts',
    '.*-reader\\.ts',
    'src/listings/(listing-duplicates|(join|move|place|retire|upsert)-[a-z-]+)\\.ts',
    'src/(counties/(signals|auctions|parcels)|underwriting/rents)/(merge|retire)-[a-z]+\\.ts',
    'src/sources/(ingest/(discard-gone|ingest-run|keep-raw-records)|register-sources|save-licence)\\.ts',
    'src/underwriting/underwriter\\.ts',
  ],
};

const anyOf = (names) => `(${names.join('|')})`;
const escape = (name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
/** Files that lie directly in src/ compose the house: they may enter every room, and no room may enter them. */
const root = '^src/[^/]+\\.ts$';
/** The pipeline from observed to published composes rooms as well, and payments its own. */
const composing = '^src/(publishing/|payments/open-[a-z]+\\.ts$)';
const groundFiles = `^src/${anyOf(ground)}\\.ts$`;
const pathOf = (room) => {
  if (['generated', 'jobs'].includes(room)) return `^${room}/`;
  const within = Object.keys(entries).flatMap((each) =>
    each.startsWith(`${room}/`) ? each.slice(room.length + 1) : [],
  );
  return within.length === 0 ? `^src/${room}/` : `^src/${room}/(?!${anyOf(within)}/)`;
};

const forbidden = [
  {
    name: 'no-cycles',
    comment: 'Things move one way. Type-only imports count: move what both need into a file of its own.',
    severity: 'error',
    from: { pathNot: '^generated/' },
    to: { circular: true },
  },
  {
    name: 'no-unknown-room',
    comment: 'Give the room a row in the table of rooms.',
    severity: 'error',
    from: { path: '^src/[^/]+/', pathNot: Object.keys(entries).map(pathOf) },
    to: {},
  },
  ...Object.entries(entries).map(([room, others]) => ({
    name: `entries-of-${room}`,
    comment: `${room}/ may enter ${others.join('/, ')}${others.length > 0 ? '/ and ' : ''}the ground, nothing else.`,
    severity: 'error',
    from: { path: pathOf(room) },
    to: { path: '^(src|jobs|generated)/', pathNot: [pathOf(room), groundFiles, ...others.map(pathOf)] },
  })),
  {
    name: 'ground-rests-on-nothing',
    severity: 'error',
    from: { path: groundFiles },
    to: { path: '^(src|jobs|generated)/' },
  },
  ...[...Object.keys(entries), 'jobs'].map((room) => ({
    name: `store-of-${room}`,
    comment: `The writes of ${room}/ are its own. Ask it for a use case, or let the composition root hand the store in.`,
    severity: 'error',
    from: { pathNot: [pathOf(room), root, composing] },
    to: { path: `${pathOf(room)}.*-store\\.ts$` },
  })),
  {
    name: 'jobs-are-not-known',
    comment: 'Only the processes know that there is a clock: main.ts and cli.ts.',
    severity: 'error',
    from: { path: '^(src|generated)/', pathNot: '^src/(main|cli)\\.ts$' },
    to: { path: '^jobs/' },
  },
  {
    name: 'generated-stands-outside',
    comment: 'Generated types stop at api/, pages/, client/ and the composition root, and know nothing of the house.',
    severity: 'error',
    from: { path: '^jobs/' },
    to: { path: '^generated/' },
  },
  ...Object.entries(keys).map(([name, places]) => ({
    name: `key-to-${name.replace(/[@/]/g, '-').replace(/^-/, '')}`,
    comment: `Only ${places.join(', ')} may import ${name}.`,
    severity: 'error',
    from: { path: '^(src|jobs)/', pathNot: places.map((place) => `^${place}${place.endsWith('/') ? '' : '$'}`) },
    to: { path: `(^|/)node_modules/(@types/)?${escape(name)}/` },
  })),
  {
    name: 'client-runs-in-browsers',
    comment: 'Only the commands, and what says in its name that it is for Node, may import its modules.',
    severity: 'error',
    from: { path: '^src/(client|wire)/', pathNot: '^src/client/((cli|mcp)/|file-storage\\.ts$)' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'no-development-packages',
    comment: 'A server that was installed without them would not start.',
    severity: 'error',
    from: { path: '^(src|jobs)/' },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'nothing-unresolved',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
];

module.exports = {
  forbidden,
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
