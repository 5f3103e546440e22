import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(import.meta.url);

/**
 * Milliseconds of CPU that a process takes here and now for the reference work, its own start included: the unit of
 * tests that bound CPU, since a slow or busy machine takes longer for both. The median of three.
 */
export function measureReferenceCpu(): number {
  const taken = Array.from({ length: 3 }, () =>
    Number(execFileSync(process.execPath, [...process.execArgv, program], { encoding: 'utf8' })),
  );
  return taken.sort((one, other) => one - other)[1] ?? NaN;
}

/** Work of the kinds that a start has: code compiled and run once, text parsed, sorted and hashed. */
export function doReferenceWork(): string {
  const functions = 4_000;
  const code = Array.from(
    { length: functions },
    (_, index) =>
      `(a, b) => { const c = { a, b, n: ${index} }; ` +
      `return a > b ? [c.a, c.n].map((each) => each * 2).join('-') : JSON.stringify(c) + ${index % 7}; }`,
  );
  const made = new Function(`return [${code.join()}]`)() as ((a: number, b: number) => string)[];
  const texts = made.map((each, index) => each(index, functions / 2));
  const parsed = JSON.parse(JSON.stringify(Array.from({ length: 40 }, () => texts))) as string[][];
  const hash = createHash('sha256');
  for (const text of parsed.flat().sort()) hash.update(text);
  return hash.digest('hex');
}

if (process.argv[1] === program) {
  doReferenceWork();
  const { user, system } = process.cpuUsage();
  process.stdout.write(String((user + system) / 1_000));
}
