import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { loadContract } from '../../src/contract/load-contract.js';
import { findProjectFile } from '../../src/project-file.js';
import { operationNames } from '../../src/wire/operation-names.js';

const read = (path: string): string => readFileSync(findProjectFile(path), 'utf8');
const readJson = <Value>(path: string): Value => JSON.parse(read(path)) as Value;

describe('what catalogs are given', () => {
  it('is one version, and the server of the registry is the package that npm has', () => {
    const { version } = readJson<{ version: string }>('package.json');
    const command = readJson<{ name: string; mcpName: string }>('packages/deals-feed/package.json');
    const server = readJson<{
      readonly name: string;
      readonly description: string;
      readonly version: string;
      readonly packages: readonly { readonly identifier: string; readonly version: string }[];
    }>('packages/deals-feed/server.json');
    assert.equal(server.name, command.mcpName);
    assert.ok(server.description.length <= 100);
    assert.equal(server.version, version);
    assert.deepEqual(
      server.packages.map((each) => [each.identifier, each.version]),
      [[command.name, version]],
    );
  });

  it('names no operation and no filter in the skill that the contract does not have', () => {
    const skill = read('skills/multifamily-deals/SKILL.md');
    const [, head = '', body = ''] = skill.split(/^---$/m);
    assert.match(head, /^name: multifamily-deals$/m);
    const [, description = ''] = /^description: >-\n((?: {2}.*\n)+)/m.exec(head) ?? [];
    assert.ok(description.length > 100 && description.length <= 1024);
    assert.ok(body.split('\n').length <= 150);
    const { operations, document } = loadContract();
    const known = new Set([
      ...Object.values<string>(operationNames),
      ...operations.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
      ...(JSON.stringify(document.components.schemas).match(/[a-z]+(?:_[a-z0-9]+)+/g) ?? []),
    ]);
    const words = [...body.matchAll(/`([a-z]+(?:_[a-z0-9]+)+)/g)].map(([, word = '']) => word);
    assert.deepEqual(
      words.filter((word) => !known.has(word)),
      [],
    );
  });

  it('tells the prices of the contract in the skill', () => {
    const skill = read('skills/multifamily-deals/SKILL.md');
    for (const { tool, priceUsd } of loadContract().operations) {
      const row = skill.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${tool?.name ?? '-'}\``));
      if (priceUsd === undefined) assert.equal(row, undefined);
      else assert.ok(row?.includes(`| ${priceUsd} |`), tool?.name);
    }
  });
});
