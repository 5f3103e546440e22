import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

// Waits until its standard input closes, when the test run has ended or was killed. Then kills every remaining process
// of that run, such as a local chain, which outlives its server by design. What has started the run may be killed
// alone, npm or the process in which mocha waits for the run: then the run is killed as well.
const [, , run = '', runner = ''] = process.argv;
const lookEveryMs = 500;
/** A process that has just been started has no environment yet, so the last look finds nothing several times over. */
const [pauseMs, calmRounds] = [50, 10];

/** Of a process that has ended: empty. */
function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** The processes of the run and of runs that its tests start, found by the mark in their inherited environment. */
function findOrphans() {
  const isOfRun = (each) => each === `TEST_RUN=${run}` || each.startsWith(`TEST_RUN=${run}/`);
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && read(pid, 'environ').split('\0').some(isOfRun));
}

function kill(pid) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // ended meanwhile
  }
}

const parentOf = (pid) => /^PPid:\t(\d+)$/m.exec(read(pid, 'status'))?.[1] ?? '';

/** The run, then what waits for it: mocha's own process, up to npm where npm has started it. No shell of a person. */
function findStarters() {
  const found = [runner];
  for (let pid = parentOf(runner); ; pid = parentOf(pid)) {
    const command = read(pid, 'cmdline');
    if (!/mocha|^npm/.test(command)) return found.slice(0, 2);
    found.push(pid);
    if (command.startsWith('npm')) return found;
  }
}

const starters = findStarters();
setInterval(() => {
  if (starters.slice(1).some((pid, index) => parentOf(starters[index]) !== pid)) kill(runner);
}, lookEveryMs).unref();

process.stdin.resume().on('end', async () => {
  for (let calm = 0; calm < calmRounds; calm += 1) {
    for (const pid of findOrphans()) {
      kill(pid);
      calm = 0;
    }
    await delay(pauseMs);
  }
});
