import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findProjectFile } from '../src/project-file.js';
import { measureReferenceCpu } from './support/reference-cpu.js';

/** A line of the log: one about a job, or that of the start. */
interface JobLine {
  readonly job?: string;
  readonly msg: string;
  readonly database?: string;
  readonly service?: string;
}

/** Clock ticks a second, in which Linux states the CPU time of a process. */
const ticksPerSecond = 100;
/** CPU of the server from its start to its first leads, in times the reference work: 12 s where that takes 0.2 s. */
const mostCpu = 60;

describe('the first start on an empty directory', function () {
  // A pure limit: another process does the work.
  this.timeout(300_000);
  let directory: string;
  const lines: JobLine[] = [];
  let cpuSeconds: number | undefined;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'first-start-'));
    writeFileSync(join(directory, '.env'), 'DEMONSTRATION=true\nCONFIRMATONS=3\nFOO=x\n');
    const { PATH } = process.env;
    const env = {
      PATH,
      PORT: '0',
      OPERATOR_PORT: '0',
      LOG_LEVEL: 'info',
      NODE_ENV: 'production',
      DRAIN_SECONDS: '0',
      ANVIL_BIN: '/nowhere/anvil',
    };
    const program = findProjectFile('dist/bin/main.js');
    const server = spawn(process.execPath, [program], { cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(server, 'close');
    try {
      for await (const line of createInterface(server.stderr)) {
        const told = JSON.parse(line) as JobLine;
        lines.push(told);
        if (told.job !== 'auctions' || told.msg === 'job started') continue;
        cpuSeconds = cpuSecondsOf(server.pid);
        break;
      }
    } finally {
      server.kill('SIGTERM');
      await ended;
    }
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('logs one JSON object a line, and warns of a name in .env that is no setting', () => {
    const started = lines.find(({ msg }) => msg === 'started');
    assert.deepEqual([started?.database, started?.service], ['embedded', 'deals-feed']);
    const told = JSON.stringify(lines);
    assert.match(told, /"CONFIRMATONS is not a setting: did you mean CONFIRMATIONS\?"/);
    assert.match(told, /"FOO is not a setting\."/);
  });

  const jobs = ['listings', 'rents', 'signals', 'auctions'];

  it('publishes the listings before the rents and the county records are read, and the leads with the last of these', () => {
    const told = lines.filter(({ job = '' }) => jobs.includes(job)).map(({ job, msg }) => `${job}: ${msg}`);
    assert.deepEqual(
      told,
      jobs.flatMap((job) => [`${job}: job started`, `${job}: job succeeded`]),
    );
  });

  it(`takes at most ${mostCpu} times the CPU of the reference work, from its start to its first leads`, function () {
    if (cpuSeconds === undefined) return this.skip();
    const reference = measureReferenceCpu() / 1_000;
    assert.ok(cpuSeconds <= mostCpu * reference, `${cpuSeconds} s of CPU, ${cpuSeconds / reference} times`);
  });
});

/** Of all threads of a process; undefined where the system does not tell. */
function cpuSecondsOf(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name of the program, in parentheses, may have blanks. Source: proc(5).
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
