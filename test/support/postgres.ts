/**
 * The address of the PostgreSQL server for tests that mean nothing without one. Without TEST_DATABASE_URL the suite or
 * test is skipped and says so; `.ci/postgres.sh start <dir>` makes a server and prints the address.
 */
export function requirePostgres(context: Mocha.Context): string {
  const url = process.env.TEST_DATABASE_URL;
  if (url !== undefined && url !== '') return url;
  process.stderr.write('    skipped: needs TEST_DATABASE_URL, which .ci/postgres.sh start <dir> prints\n');
  return context.skip();
}
