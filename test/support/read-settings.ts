import assert from 'node:assert/strict';
import { judgeConfig, readConfig, type Config } from '../../src/config/config.js';
import type { Launch } from '../../src/config/environment.js';
import { OperatorError } from '../../src/errors.js';

/** The settings of a production server, with recognizable secrets. */
export const production = {
  PAY_TO: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  RPC_URL: 'https://rpc.example.com/v2/secret-of-the-rpc',
  RELAYER_PRIVATE_KEYS: `0x${'5ec2e7'.repeat(10)}5ec2`,
  DATABASE_URL: 'postgres://deals:secret-of-the-database@db.example.com:5432/deals',
  PUBLIC_BASE_URL: 'https://deals.example.org',
  SERVER_SECRET: 'secret-of-the-server-0123456789abcdef',
} as const;

/** Reads it as on a terminal. */
export function read(environment: Record<string, string>, launch: Launch = { onTerminal: true }): Config {
  return readConfig(environment, launch);
}

/** What the log says of an accepted configuration. */
export function warningsOf(environment: Record<string, string>, launch: Launch = { onTerminal: true }): string[] {
  read(environment, launch);
  return judgeConfig(environment, launch).findings.map(({ sentence }) => sentence);
}

/** The faults of a rejected configuration, one line each. */
export function faultsOf(environment: Record<string, string>, launch?: Launch): string[] {
  try {
    read(environment, launch);
  } catch (error) {
    assert.ok(error instanceof OperatorError);
    assert.doesNotMatch(error.message, /secret-of|5ec2e7/, 'a secret stands in the message');
    const [title, ...faults] = error.message.split('\n');
    assert.equal(title, 'The configuration is not valid:');
    return faults.map((fault) => fault.replace(/^ {2}- /, ''));
  }
  return [];
}
