import assert from 'node:assert/strict';
import { decodePage } from '../../../../src/sources/formats/html/decode-page.js';

describe('decodePage', () => {
  const name = 'JOSÉ PEÑA – 1';
  const windows1252 = (html: string) => Buffer.from(html.replace('–', '\x96'), 'latin1');
  const decode = (body: Buffer, contentType?: string) => decodePage({ headers: { 'content-type': contentType }, body });

  for (const contentType of ['text/html; charset=windows-1252', 'text/html;Charset="ISO-8859-1"']) {
    it(`decodes a page by its header, ${contentType}, whatever the page declares`, () => {
      const html = `<meta charset="utf-8"><td>${name}`;
      assert.equal(decode(windows1252(html), contentType), html);
    });
  }
  for (const meta of [
    '<meta charset=windows-1252>',
    '<META name="x"><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1" />',
  ]) {
    it(`decodes a page by ${meta}, when the header names no known encoding`, () => {
      for (const contentType of [undefined, 'text/html', 'text/html; charset=none']) {
        assert.equal(decode(windows1252(`${meta}<td>${name}`), contentType), `${meta}<td>${name}`);
      }
    });
  }
  it('decodes a page without an encoding as UTF-8, without its byte order mark', () => {
    assert.equal(decode(Buffer.from(`\ufeff<td charset="windows-1252">${name}`)), `<td charset="windows-1252">${name}`);
  });
});
