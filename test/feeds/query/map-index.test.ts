import assert from 'node:assert/strict';
import fc from 'fast-check';
import { firstPositions } from '../../../src/feeds/query/bitmap.js';
import { createCandidates } from '../../../src/feeds/query/candidates.js';
import { createMapIndex } from '../../../src/feeds/query/map-index.js';
import { latitudeOf, longitudeOf, milesFrom, toPoint } from '../../../src/feeds/query/map-point.js';

const turn = (): Promise<void> => Promise.resolve();
const degrees = (from: number, to: number) =>
  fc.integer({ min: from * 10_000, max: to * 10_000 }).map((each) => each / 10_000);

describe('points on the map', () => {
  it('are kept to four decimals', () => {
    for (const [latitude, longitude] of [
      [41.6528, -83.5379],
      [-90, -180],
      [90, 180],
      [0, 0],
    ] as const) {
      const point = toPoint(latitude, longitude);
      assert.ok(Math.abs(latitudeOf(point) - latitude) < 1e-9);
      assert.ok(Math.abs(longitudeOf(point) - longitude) < 1e-9);
    }
  });

  it('are as many miles apart as the great circle has', () => {
    const [toledo, cleveland] = [{ latitude: 41.6528, longitude: -83.5379 }, toPoint(41.4993, -81.6944)];
    assert.ok(Math.abs(milesFrom(toledo, cleveland) - 95.6) < 0.5);
    assert.ok(Math.abs(milesFrom({ latitude: 0, longitude: 179.5 }, toPoint(0, -179.5)) - 69.09) < 0.01);
  });

  it('are found in a circle wherever it is, as by measuring each', async () => {
    const around = fc.tuple(degrees(-90, 90), degrees(-180, 180)).chain(([latitude, longitude]) => {
      const near = fc.tuple(degrees(-2, 2), degrees(-3, 3)).map(([north, east]) => {
        const turned = ((longitude + east + 540) % 360) - 180;
        return toPoint(Math.max(-90, Math.min(90, latitude + north)), turned);
      });
      return fc.record({
        circle: fc.record({
          latitude: fc.constant(latitude),
          longitude: fc.constant(longitude),
          radiusMiles: fc.integer({ min: 1, max: 100 }),
        }),
        points: fc.array(fc.option(near, { nil: undefined }), { maxLength: 60 }),
      });
    });
    await fc.assert(
      fc.asyncProperty(around, async ({ circle, points }) => {
        const index = await createMapIndex(points.length, (position) => points[position], turn);
        const candidates = createCandidates(points.length);
        candidates.begin();
        index.keepWithin(candidates, circle);
        const expected = points.flatMap((point, position) =>
          point !== undefined && milesFrom(circle, point) <= circle.radiusMiles ? [position] : [],
        );
        assert.deepEqual(firstPositions(candidates.finish(), 0, points.length), expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
