// Where HUD's readers find the values that they read.
export { parseCount, parseMoney } from '../values/figures.js';
export { parseZip } from '../values/places.js';
export { textOf } from '../values/text.js';
