/** Spellings of numbered roads, by canonical name. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  'COUNTY RD': [
    'COUNTY ROAD',
    'COUNTY RD',
    'CO ROAD',
    'CO RD',
    'COUNTY HIGHWAY',
    'COUNTY HWY',
    'CO HWY',
    'COUNTY TRUNK HIGHWAY',
    'COUNTY TRUNK HWY',
    'CNTY RD',
    'CTH',
    'C R',
    'CR',
  ],
  FM: ['FARM TO MARKET', 'FARM TO MARKET RD', 'FARM TO MARKET ROAD', 'FM', 'FM RD', 'FM ROAD'],
  HWY: ['HIGHWAY', 'HWY', 'ROUTE', 'RTE', 'RT'],
  INTERSTATE: ['INTERSTATE', 'INTERSTATE HIGHWAY', 'INTERSTATE HWY', 'I', 'IH'],
  RM: ['RANCH TO MARKET', 'RANCH TO MARKET RD', 'RANCH TO MARKET ROAD', 'RM', 'RM RD', 'RM ROAD'],
  'STATE RTE': [
    'STATE ROUTE',
    'STATE RTE',
    'STATE RT',
    'STATE ROAD',
    'STATE RD',
    'STATE HIGHWAY',
    'STATE HWY',
    'ST RT',
    'ST RTE',
    'ST RD',
    'ST HWY',
    'SR',
    'S R',
    'SH',
    'STH',
  ],
  'TOWNSHIP RD': ['TOWNSHIP ROAD', 'TOWNSHIP RD', 'TWP RD', 'TWP ROAD', 'TR'],
  'US HWY': ['US HIGHWAY', 'US HWY', 'US ROUTE', 'US RTE', 'US RT', 'U S HIGHWAY', 'U S HWY', 'U S ROUTE', 'US', 'U S'],
};

/** Spelling (up to `longestHighwayName` words) -> canonical name. A number or a letter must follow. */
export const highwayNames: ReadonlyMap<string, string> = new Map(
  Object.entries(spellings).flatMap(([kept, written]) => written.map((spelling) => [spelling, kept] as const)),
);

export const longestHighwayName = 4;
