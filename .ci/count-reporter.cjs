'use strict';
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

/** Mocha's own report for people, and at the end `passes failures pending` in the file of `--reporter-option file=`. */
module.exports = class CountReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(options.reporterOptions.file, `${passes} ${failures} ${pending}\n`);
    });
  }
};
