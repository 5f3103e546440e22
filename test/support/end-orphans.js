import { readFileSync, readdirSync } from 'node:fs';

// Waits until its standard input closes, as it does when the test run has ended or was killed, and then kills every
// process that was started by that run and still lives, such as a local chain, which outlives its server by design.
const mark = `TEST_RUN=${process.argv[2]}`;
const rounds = 5;

/** The processes of the run: they inherit its mark in their environment. */
function findOrphans() {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
    } catch {
      return false; // ended meanwhile, or another user's
    }
  });
}

process.stdin.resume().on('end', () => {
  for (let round = 0; round < rounds; round += 1) {
    for (const pid of findOrphans()) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // ended meanwhile
      }
    }
  }
});
