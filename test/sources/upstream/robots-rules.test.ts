import assert from 'node:assert/strict';
import { readRobots } from '../../../src/sources/upstream/robots-rules.js';

const allows = (robots: string, path: string) => readRobots(robots, 'deals-feed').allows(path);

describe('readRobots', () => {
  it('combines the groups of its own name, and uses those for all only without one', () => {
    const robots = `User-agent: *\nDisallow: /\n\nUser-agent: Deals-Feed/2.0\nuser-agent: other\nDisallow: /a # why\n\nUser-agent: deals-feed\nDisallow: /b`;
    assert.deepEqual(
      ['/a/1', '/b', '/c'].map((path) => allows(robots, path)),
      [false, false, true],
    );
    assert.equal(readRobots(robots, 'someone').allows('/c'), false);
  });
  it('applies the longest pattern, and Allow at equal length', () => {
    const robots = 'User-agent: *\nDisallow: /sales\nAllow: /sales/search\nDisallow: /same\nAllow: /same';
    assert.deepEqual(
      ['/sales/x', '/sales/search?countyId=2', '/same'].map((path) => allows(robots, path)),
      [false, true, true],
    );
  });
  for (const [pattern, path, isRefused] of [
    ['/*.cfm$', '/index.cfm', true],
    ['/*.cfm$', '/index.cfm?a=1', false],
    ['/*?zaction=', '/index.cfm?zaction=AUCTION', true],
    ['/fish*', '/fishheads', true],
    ['/$', '/', true],
    ['/$', '/a', false],
    ['*/a*b*c', '/x/a-b-c', true],
    ['/a%3cd', '/a%3Cd', true],
    ['/ä', '/%C3%A4', true],
    ['/%70rivate/', '/private/x', true],
    ['/private/', '/%70rivate/x', true],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz', true],
    ['/a/%2A', '/a/*', true],
    ['/a/%2A', '/a/b', false],
    ['/a%2Fb', '/a/b', false],
    ['/', '/robots.txt', false],
  ] as const) {
    it(`${isRefused ? 'refuses' : 'allows'} ${path} under Disallow: ${pattern}`, () => {
      assert.equal(allows(`User-agent: *\nDisallow: ${pattern}`, path), !isRefused);
    });
  }
  it('allows everything when nothing is said, or nothing readable', () => {
    for (const robots of ['', 'User-agent: *\nDisallow:', '<html>404</html>', 'Disallow: /', '\u0000\u0001']) {
      assert.equal(allows(robots, '/x'), true);
    }
  });
  it('stays fast on a hostile pattern', () => {
    const robots = `User-agent: *\nDisallow: /${'*a'.repeat(5_000)}$`;
    assert.equal(allows(robots, `/${'a'.repeat(4_000)}`), true);
  });
});
