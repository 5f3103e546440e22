/**
 * Streets named for a person with several spellings; one row per street, canonical spelling first. Names as normalized:
 * no directional, no suffix. A match that needs this table is a `street_alias`.
 */
const rows: readonly (readonly string[])[] = [
  [
    'MARTIN LUTHER KING',
    'MARTIN LUTHER KING JR',
    'MARTIN L KING',
    'MARTIN L KING JR',
    'M L KING',
    'M L KING JR',
    'ML KING',
    'ML KING JR',
    'MLK',
    'MLK JR',
    'M L K',
    'M L K JR',
    'DR MARTIN LUTHER KING',
    'DR MARTIN LUTHER KING JR',
    'DR MARTIN L KING',
    'DR MARTIN L KING JR',
    'DR M L KING',
    'DR M L KING JR',
    'DR ML KING',
    'DR ML KING JR',
    'DR MLK',
    'DR MLK JR',
    'REV DR MARTIN LUTHER KING JR',
  ],
  ['JOHN F KENNEDY', 'J F KENNEDY', 'JF KENNEDY', 'JFK', 'J F K', 'PRESIDENT KENNEDY', 'KENNEDY'],
  ['FRANKLIN D ROOSEVELT', 'F D ROOSEVELT', 'FD ROOSEVELT', 'FDR', 'F D R'],
  ['CESAR CHAVEZ', 'CESAR E CHAVEZ'],
  ['RICHARD ARRINGTON', 'RICHARD ARRINGTON JR'],
  ['LYNDON B JOHNSON', 'L B JOHNSON', 'LBJ', 'L B J'],
  ['ROSA PARKS', 'ROSA L PARKS'],
  ['JAMES A RHODES', 'JAMES RHODES'],
  ['BARACK OBAMA', 'PRESIDENT BARACK OBAMA'],
];

/** Street name -> canonical spelling. */
export const streetAliases: ReadonlyMap<string, string> = new Map(
  rows.flatMap((row) => row.map((spelling) => [spelling, row[0] ?? spelling] as const)),
);
