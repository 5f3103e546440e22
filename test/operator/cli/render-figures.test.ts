import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renderProgress } from '../../../src/operator/cli/render-figures.js';

describe('renderProgress', () => {
  it('shows a bar where it is known how much there is to do', () => {
    assert.equal(
      renderProgress('publish', { published: 194, of: 623, feed: 'deals' }),
      'publish ██████░░░░░░░░░░░░░░  31%  published 194 of 623, feed deals',
    );
    assert.equal(renderProgress('audit', { block: 9, of: 9 }), `audit ${'█'.repeat(20)} 100%  block 9 of 9`);
  });

  it('shows figures alone where it is not known', () => {
    assert.equal(renderProgress('listings', { rows: 50, rejected: 2 }), 'listings ... rows 50, rejected 2');
    assert.equal(renderProgress('listings', { rows: 50, of: 0 }), 'listings ... rows 50');
    assert.equal(renderProgress('listings', {}), 'listings ... ');
  });

  it('is never wider than full, and full only at the end', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1 }), (done, of) => {
        const line = renderProgress('x', { done, of });
        const full = line.match(/█/g)?.length ?? 0;
        assert.equal(full + (line.match(/░/g)?.length ?? 0), 20);
        assert.equal(full === 20, done >= of);
        assert.equal(line.includes(' 100%'), done >= of);
      }),
    );
  });
});
