import assert from 'node:assert/strict';
import { exitCodes } from '../../../src/client/cli/describe-error.js';
import { generalOptions, helpTopics, findVerb, optionOf } from '../../../src/client/cli/verbs.js';
import { maxPageRecords } from '../../../src/feeds/feed.js';
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

  it('says of each value how it is written, its limits and its default', () => {
    const help = renderHelp('deals').replaceAll(/ *\n {10,}/g, ' ');
    for (const line of [
      /--state <state> +Two-letter/,
      /--min-price <usd> +Lowest asking price/,
      /--min-cap <percent> +.* 0 to 100\./,
      /--price-cut-since <date> +The last/,
      /--near <place> +Center/,
      /--status <value> +Status.* One of Hot/,
      /--min-units <number> +Fewest/,
      new RegExp(`--limit <number> +Most records in one reply;.* 1 to 1000; default ${maxPageRecords}\\.`),
      /--city <text> +City/,
      /--min-score <number> +Lowest deal_score, 0 to 100\.\n/,
    ])
      assert.match(help, line);
    assert.match(renderHelp('auctions'), /--from-date <date> +First sale date/);
    assert.match(renderHelp('changes'), /<since> +A moment/);
  });

  it('fits a terminal of 100 characters, in aligned columns', () => {
    for (const verb of [undefined, ...helpTopics])
      for (const line of renderHelp(verb).split('\n')) assert.ok(line.length <= 100 && line === line.trimEnd(), line);
    const prices = renderHelp().match(/^ {2}\S+ +(\$[0-9.]+|free) /gm) ?? [];
    assert.equal(new Set(prices.map((line) => line.search(/\$|free /))).size, 1);
  });
});
