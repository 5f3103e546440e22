/** A county with fictional public records. */
export interface DemoCounty {
  readonly state: string;
  /** Without the word County, as in `demo-places.ts`. */
  readonly name: string;
  readonly countyFips: string;
  /** Where parcels are delivered, only they have the addresses of unpaid taxes. */
  readonly delivers: readonly ('signals' | 'auctions' | 'parcels')[];
}

/** The counties whose records the demonstration has. */
export const demoCounties: readonly DemoCounty[] = [
  { state: 'OH', name: 'Cuyahoga', countyFips: '39035', delivers: ['signals', 'auctions'] },
  { state: 'OH', name: 'Franklin', countyFips: '39049', delivers: ['auctions'] },
  { state: 'OH', name: 'Hamilton', countyFips: '39061', delivers: ['signals', 'auctions'] },
  { state: 'IN', name: 'Marion', countyFips: '18097', delivers: ['signals', 'parcels'] },
  { state: 'IL', name: 'Cook', countyFips: '17031', delivers: ['signals'] },
  { state: 'TX', name: 'Dallas', countyFips: '48113', delivers: ['signals'] },
];
