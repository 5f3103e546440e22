/** How esbuild joins a program with its packages. @type {import('esbuild').BuildOptions} */
export const bundling = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  // The embedded database finds its program beside itself; the rest are databases that are not used.
  external: [
    '@electric-sql/pglite',
    ...[
      'better-sqlite3',
      'mariadb',
      'mysql',
      'mysql2',
      'oracledb',
      'pg-native',
      'pg-query-stream',
      'sqlite3',
      'tedious',
    ],
  ],
  // Packages in CommonJS ask for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
};
