import { distance } from 'fastest-levenshtein';

/** Edits by which a mistyped name may differ. */
const mostEdits = 2;

/** The texts that a mistyped one may mean: one where it is clear, several where they are equally near, else none. */
export function findNearest(text: string, known: readonly string[]): readonly string[] {
  const written = fold(text);
  const same = known.filter((each) => fold(each) === written);
  if (same.length > 0) return same;
  const edits = known.map((each) => distance(written, fold(each)));
  const fewest = Math.min(...edits);
  return fewest <= mostEdits && fewest < written.length ? known.filter((_, index) => edits[index] === fewest) : [];
}

/** As `findNearest`; a name is also near that lacks its min_ or max_ alone, or goes on behind a known one. */
export function findNearestName(name: string, known: readonly string[]): readonly string[] {
  const written = fold(name);
  const bounds = known.filter((each) => /^(min|max)_/.test(each) && fold(each.slice(4)) === written);
  const [near = []] = [bounds, findNearest(name, known)].filter(({ length }) => length > 0);
  if (near.length > 0) return near;
  const begun = known.filter((each) => each.length >= 3 && written.startsWith(fold(each)));
  return begun.sort((one, other) => other.length - one.length).slice(0, 1);
}

/** Without what people write in different ways: case, and the signs between words. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, '');
}
