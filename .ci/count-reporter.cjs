'use strict';
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

/** How much of a failure is told again at the end of everything: enough to know it by, not a whole difference. */
const maxFailureLength = 2_000;

/**
 * Mocha's own report for people, and at the end two files: `passes failures pending` in the one that
 * `--reporter-option file=` names, and what failed in the same with `.failures` behind it.
 */
module.exports = class CountReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { file } = options.reporterOptions;
      const { passes, failures, pending } = this.stats;
      writeFileSync(`${file}.failures`, this.failures.map(describeFailure).join(''));
      writeFileSync(file, `${passes} ${failures} ${pending}\n`);
    });
  }
};

function describeFailure(test) {
  const { message = 'no message', stack = '' } = test.err ?? {};
  const places = stack.split('\n').filter((line) => /^\s+at .*(test|src|jobs)\//.test(line));
  return `${test.fullTitle()}\n${message.slice(0, maxFailureLength)}\n${places.slice(0, 5).join('\n')}\n`;
}
