import assert from 'node:assert/strict';
import { exitCodes } from '../../../src/client/cli/describe-error.js';
import { generalOptions, helpTopics, findVerb, optionOf } from '../../../src/client/cli/verbs.js';
import { renderHelp } from '../../../src/client/cli/render-help.js';

describe('the help', () => {
  it('names every verb, every common option, every exit code and every variable', () => {
    const lines = renderHelp().split('\n');
    const heads = lines.map((line) => /^ {2}(\S+)/.exec(line)?.[1]);
    const options = Object.keys(generalOptions).map((name) => `--${name}`);
    const codes = Object.values(exitCodes).map(String);
    for (const name of [...helpTopics, ...options, ...codes, 'BASE_URL', 'PRIVATE_KEY', 'PAYMENTS_DIR'])
      assert.ok(heads.includes(name), name);
  });

  it('names each parameter of a verb with its values, and shows examples', () => {
    for (const verb of helpTopics) {
      const help = renderHelp(verb);
      assert.match(help, new RegExp(`\nExamples\n  deals-feed ${verb}`));
      for (const parameter of findVerb(verb)?.parameters ?? []) {
        const { isRequired, name, values = [] } = parameter;
        assert.ok(help.includes(isRequired ? `  <${name}>  ` : `  --${optionOf(parameter)} `), `${verb} ${name}`);
        for (const value of values) assert.ok(help.includes(value), value);
      }
    }
  });

  it('fits a terminal of 100 characters, in aligned columns', () => {
    for (const verb of [undefined, ...helpTopics])
      for (const line of renderHelp(verb).split('\n')) assert.ok(line.length <= 100 && line === line.trimEnd(), line);
    const prices = renderHelp().match(/^ {2}\S+ +(\$[0-9.]+|free) /gm) ?? [];
    assert.equal(new Set(prices.map((line) => line.search(/\$|free /))).size, 1);
  });
});
