import { cityWords, leadingCityWords } from './tables/city-words.js';

/**
 * A city name in one spelling (`Saint Louis` -> `ST LOUIS`, `Ft. Worth` -> `FORT WORTH`), from cleaned text. Empty when
 * the text cannot be a city name. Normalising twice changes nothing.
 */
export function normalizeCity(text: string): string {
  const words = text.split(/[ -]/).filter(Boolean);
  while (words[0] === 'CITY' && words[1] === 'OF') words.splice(0, 2);
  const name = words
    .map(
      (word, index) =>
        (index === 0 && words.length > 1 ? leadingCityWords.get(word) : undefined) ?? cityWords.get(word) ?? word,
    )
    .join(' ');
  return /^[A-Z][A-Z ]{1,58}$/.test(name) ? name : '';
}
