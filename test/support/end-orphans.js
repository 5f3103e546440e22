import { readFileSync, readdirSync } from 'node:fs';

// Waits until its standard input closes, when the test run has ended or was killed. Then kills every remaining process
// of that run, such as a local chain, which outlives its server by design.
const mark = `TEST_RUN=${process.argv[2]}`;
const rounds = 5;

/** The processes of the run, found by the mark in their inherited environment. */
function findOrphans() {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
    } catch {
      return false; // ended meanwhile, or owned by another user
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
