import { lockDirectory } from '../../src/db/directory-lock.js';

/** A separate process: prints `ready`, waits for a line, tries to lock the directory, prints the result, and stays. */
const [directory = ''] = process.argv.slice(2);

process.stdout.write('ready\n');
process.stdin.once('data', () => {
  lockDirectory(directory).then(
    () => process.stdout.write('locked\n'),
    (error: Error) => process.stdout.write(`refused ${error.message}\n`),
  );
});
