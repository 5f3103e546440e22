/** Fast path for nearly every text. */
const clean = /^[A-Za-z\d]+(?: [A-Za-z\d]+)*$/;
const plain = /^[\x20-\x7e]*$/;
const vulgarFractions = /[\u00bc-\u00be\u2150-\u215e]/g;

/**
 * Reduces a text to upper-case `A-Z 0-9 # & - / ,` and single spaces, by NFKD. Removes accents, apostrophes and
 * periods, but a period before a digit or between words becomes a space. Line ends, semicolons and `|` become commas,
 * every dash a hyphen, everything else a space. Idempotent.
 */
export function cleanText(text: string): string {
  if (clean.test(text)) return text.toUpperCase();
  return (plain.test(text) ? text : decompose(text))
    .toUpperCase()
    .replace(/['`]/g, '')
    .replace(/\.(?=\d|[A-Z]{2})|(?<=[A-Z]{2})\.(?=[A-Z])/g, ' ')
    .replace(/\./g, '')
    .replace(/[;|\r\n]/g, ',')
    .replace(/[^A-Z0-9#&\-/,]+/g, ' ')
    .replace(/[#&]/g, ' $& ')
    .replace(/ +/g, ' ')
    .replace(/(\d) ?([-/]) ?(?=\d)/g, '$1$2')
    .trim();
}

function decompose(text: string): string {
  return text
    .replace(vulgarFractions, ' $&')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[\u2018\u2019\u02bc]/g, '')
    .replace(/\u2044/g, '/')
    .replace(/[\p{Pd}\u2212]/gu, '-');
}
