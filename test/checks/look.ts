import assert from 'node:assert/strict';
import { judgeConfig } from '../../src/config/config.js';
import type { Launch } from '../../src/config/environment.js';
import { OperatorError } from '../../src/errors.js';
import type { Check, CheckPorts, Finding } from '../../src/operator/checks/check.js';
import { checks } from '../../src/operator/checks/checks.js';
import { lookOnce, type Looked } from '../../src/operator/checks/look-at-all.js';
import { judgeStart } from '../../src/operator/checks/judge-start.js';
import { openCheckPorts } from '../../src/operator/checks/open-check-ports.js';
import { production } from '../support/read-settings.js';

/** What everything secret in these tests contains. */
const secret = /secret-of|5ec2e7|ac0974be/;

/** A receiver whose key nobody knows. */
export const payTo = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What one check finds, without its public words. Undefined where all is well; fails where it cannot look. */
export async function find(
  id: string,
  environment: Environment = {},
  { launch = { onTerminal: true }, ...changes }: Partial<CheckPorts> & { readonly launch?: Launch } = {},
): Promise<Pick<Finding, 'sentence' | 'cure'> | undefined> {
  const check = checks.find((each) => each.id === id) ?? assert.fail(`${id} is no check`);
  const values = { ...production, PAY_TO: payTo, ...environment };
  const now = () => new Date();
  const { close, ...ports } = openCheckPorts(judgeConfig(values, launch), { now });
  try {
    const changed = { ...ports, ...changes };
    const looked = await lookOnce(check, changed);
    await assertStartAgrees(looked, changed, check);
    if (looked.state === 'skipped') assert.fail(`${id} could not look: ${looked.reason}`);
    if (looked.state === 'ok') return undefined;
    const { sentence, cure, why = '' } = looked.finding;
    assert.doesNotMatch(sentence + cure + why, secret, 'a secret is told');
    assert.doesNotMatch(sentence + cure, /\n {4}at /, 'a stack is told');
    assert.doesNotMatch(why, /0x|:\/\/|RPC_URL/, 'buyers are told more than they need');
    return { sentence, cure };
  } finally {
    await close();
  }
}

/** What the doctor says would be refused is refused, with the same words, and nothing else is. */
async function assertStartAgrees(looked: Looked, ports: CheckPorts, check: Check): Promise<void> {
  if (looked.state !== 'finding' || looked.severity !== 'refuse') return void (await judgeStart(ports, [check]));
  const { sentence } = looked.finding;
  await assert.rejects(judgeStart(ports, [check]), (error) => {
    assert.ok(error instanceof OperatorError);
    const told = error.message.split('\n').map((line) => line.replace(/^ {2}- /, ''));
    assert.ok(told.join(' ').includes(sentence), error.message);
    return true;
  });
}
