import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { findProjectFile } from '../../src/project-file.js';
import { shortLived } from '../support/short-lived.js';

/** A fresh demonstration in a directory of its own, until its leads are published. */
export async function startDemonstration(directory: string) {
  const { PATH } = process.env;
  const env = {
    PATH,
    PORT: '0',
    OPERATOR_PORT: '0',
    LOG_LEVEL: 'info',
    DEMONSTRATION: 'true',
    DEMO_PACE: '0',
  };
  const program = findProjectFile('dist/bin/main.js');
  const server = spawn(process.execPath, [shortLived, program], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const address = (async () => {
    for await (const line of createInterface(server.stdout)) {
      const [url] = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(line) ?? [];
      if (url !== undefined) return url;
    }
    return assert.fail('the server named no address');
  })();
  for await (const line of createInterface(server.stderr))
    if (line.includes('"job":"auctions"') && line.includes('job succeeded')) break;
  server.stderr.resume();
  return { server, url: await address };
}

/** The bridge as an agent starts it. */
export async function startBridge(baseUrl: string): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const program = findProjectFile('dist/bin/deals-feed.js');
  const env = { BASE_URL: baseUrl, PATH: process.env['PATH'] ?? '' };
  const args = [program, 'mcp', '--budget', '9.00', '--max', '1.50'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return client;
}
