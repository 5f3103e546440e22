'use strict';
// The walls of the house, checked by `npm run check:walls`. What is not written here is not allowed.

/** Everyone stands on these; they stand on nothing. */
const ground = ['absence', 'decimal-text', 'errors', 'latest', 'log', 'project-file'];

/** Rooms of src/ and the rooms each may enter. A room that is not in this table may not exist. */
const doors = {
  // the world outside, and what everything rests on
  money: [],
  chain: [],
  contract: [],
  db: [],
  limits: [],
  secrets: [],
  // the business: nothing of it knows the wire, the contract or money
  addresses: [],
  metros: [],
  listings: ['addresses', 'db', 'metros', 'policy'],
  policy: ['addresses'],
  parcels: ['addresses', 'db'],
  matches: ['addresses', 'auctions', 'signals'],
  signals: ['addresses', 'db', 'parcels', 'policy'],
  auctions: ['addresses', 'db', 'metros', 'parcels', 'policy'],
  rents: ['db', 'metros'],
  sources: ['addresses', 'auctions', 'db', 'listings', 'metros', 'parcels', 'policy', 'rents', 'signals'],
  underwriting: ['db', 'listings', 'rents'],
  scoring: ['listings', 'metros', 'underwriting'],
  deals: ['auctions', 'db', 'listings', 'matches', 'metros', 'scoring', 'sources', 'underwriting'],
  leads: ['auctions', 'deals', 'metros', 'scoring', 'signals', 'sources'],
  reports: ['addresses', 'db', 'deals', 'listings', 'matches', 'metros', 'rents', 'scoring', 'underwriting'],
  // what is sold, and for what
  feeds: ['addresses', 'contract', 'db', 'secrets'],
  payments: ['chain', 'contract', 'db', 'limits', 'money', 'secrets'],
  // the wire: operations are free of any transport, api maps wire types to domain types, http is the machinery
  discovery: ['contract'],
  operations: ['contract', 'payments', 'secrets'],
  pages: ['contract', 'discovery', 'generated', 'metros', 'operations'],
  api: [
    'addresses',
    'auctions',
    'contract',
    'deals',
    'discovery',
    'feeds',
    'generated',
    'leads',
    'matches',
    'metros',
    'operations',
    'pages',
    'payments',
    'reports',
    'scoring',
    'signals',
    'sources',
    'underwriting',
  ],
  http: ['contract', 'limits', 'operations'],
  mcp: ['contract', 'operations', 'payments'],
  // beside the house
  generated: [],
  terminal: [],
  client: ['generated', 'terminal'],
  demo: ['chain', 'metros', 'payments', 'rents', 'sources'],
  door: [],
  cli: ['door', 'terminal'],
};

/** Packages and the only places that may import them, as paths below the root. */
const keys = {
  express: ['src/http/'],
  'openapi-backend': ['src/http/'],
  '@modelcontextprotocol/server': ['src/mcp/', 'src/client/mcp/'],
  ajv: ['src/contract/'],
  'ajv-formats': ['src/contract/'],
  'js-yaml': ['src/contract/'],
  viem: ['src/chain/', 'src/payments/', 'src/client/', 'src/demo/'],
  'hash-wasm': ['src/chain/'],
  '@bitauth/libauth': ['src/chain/'],
  parse5: ['src/sources/html/'],
  'node-cron': ['jobs/'],
  pino: ['src/log\\.ts'],
  pg: ['src/db/'],
  '@electric-sql/pglite': ['src/db/'],
  // SQL is spoken by stores (writes), readers (questions), and these; a use case may be handed a connection to pass on.
  knex: [
    'src/db/',
    '.*-store\\.ts',
    '.*-reader\\.ts',
    'src/listings/(upsert-listings|retire-listings|count-listings|listing-standbys)\\.ts',
    'src/(signals|auctions|parcels|rents)/(merge|retire)-[a-z]+\\.ts',
    'src/sources/(discard-gone|keep-raw-records|keep-rejects|read-sources|register-sources|save-licence)\\.ts',
    'src/sources/ingest-run\\.ts',
    'src/underwriting/underwriter\\.ts',
  ],
};

const anyOf = (names) => `(${names.join('|')})`;
const escape = (name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
/** Files that lie directly in src/ compose the house: they may enter every room, and no room may enter them. */
const root = '^src/[^/]+\\.ts$';
const groundFiles = `^src/${anyOf(ground)}\\.ts$`;
const pathOf = (room) => (['generated', 'jobs'].includes(room) ? `^${room}/` : `^src/${room}/`);

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
    comment: 'Give the room a row in the table of doors.',
    severity: 'error',
    from: { path: '^src/[^/]+/', pathNot: Object.keys(doors).map(pathOf) },
    to: {},
  },
  ...Object.entries(doors).map(([room, others]) => ({
    name: `doors-of-${room}`,
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
  ...[...Object.keys(doors), 'jobs'].map((room) => ({
    name: `store-of-${room}`,
    comment: `The writes of ${room}/ are its own. Ask it for a use case, or let the composition root hand the store in.`,
    severity: 'error',
    from: { pathNot: [pathOf(room), root] },
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
    from: { path: '^src/client/', pathNot: '^src/client/((cli|mcp)/|file-storage\\.ts$)' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'no-development-packages',
    comment:
      'A server that was installed without them would not start. The compiler of the test token is no part of it.',
    severity: 'error',
    from: { path: '^(src|jobs)/', pathNot: '^src/demo/chain/compile-contract\\.ts$' },
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
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
