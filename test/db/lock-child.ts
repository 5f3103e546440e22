import { lockDirectory } from '../../src/db/directory-lock.js';

/** A process of its own: says `ready`, waits for a line, tries to lock the directory, says how it went, and stays. */
const [directory = ''] = process.argv.slice(2);

process.stdout.write('ready\n');
process.stdin.once('data', () => {
  lockDirectory(directory).then(
    () => process.stdout.write('locked\n'),
    (error: Error) => process.stdout.write(`refused ${error.message}\n`),
  );
});
