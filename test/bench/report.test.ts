import assert from 'node:assert/strict';
import { atLeast, atMost, compareReports, createReport, describeFigure, type ReportFile } from './report.js';

const machine = { node: 'v20.19.0', processor: 'a processor', cores: 2 };

describe('the report of the benchmark', () => {
  it('says of each figure whether its goal is met, by its ratio where it has a floor', () => {
    assert.match(
      describeFigure({ name: 'a', value: 150, unit: 'us', floor: 100, goal: atMost(1.6) }),
      /1\.50 x 100 .*met\)$/,
    );
    assert.match(describeFigure({ name: 'a', value: 150, unit: 'us', goal: atMost(140) }), /at most 140; MISSED/);
    assert.match(describeFigure({ name: 'a', value: 15, unit: '/s', goal: atLeast(15) }), /at least 15; met/);
  });

  it('keeps each figure for the file as it was measured, and none twice', () => {
    const lines: string[] = [];
    const report = createReport(
      (line) => lines.push(line),
      () => {},
    );
    report.figure({ name: 'a', value: 1.23456, unit: 'ms' });
    assert.deepEqual(report.file().figures, [{ name: 'a', value: 1.23456, unit: 'ms' }]);
    assert.equal(lines.length, 1);
    assert.throws(() => report.figure({ name: 'a', value: 2, unit: 'ms' }), /twice/);
  });

  it('compares two runs by their ratios to the floor, so that a slower machine alone changes nothing', () => {
    const earlier: ReportFile = { ...machine, figures: [{ name: '402', value: 150, unit: 'us', floor: 100 }] };
    const later: ReportFile = { ...machine, figures: [{ name: '402', value: 300, unit: 'us', floor: 200 }] };
    assert.match(compareReports(earlier, later).join('\n'), /402 +1\.50 -> +1\.50 x floor, 1\.00 x$/);
  });

  it('leaves out what only one of two runs has', () => {
    const earlier: ReportFile = { ...machine, figures: [{ name: 'gone', value: 1, unit: 'us' }] };
    assert.deepEqual(compareReports(earlier, { ...machine, figures: [] }).length, 1);
  });
});
