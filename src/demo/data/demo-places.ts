/** A location of demonstration properties: a ZIP with its postal city and a two-bedroom rent. */
export interface DemoPlace {
  readonly state: string;
  /** Core county of the metro, without the word County. */
  readonly county: string;
  readonly zip: string;
  readonly city: string;
  /** USD a month; only makes asking prices plausible, never published. */
  readonly rent: number;
}

/**
 * ZIPs of the core county of each of the 29 metros, one county per line: ZIP, postal city, rent. The last two of each
 * line have no ZIP rent in this project, so only the county's figure applies. Source of the rents: US Department of
 * Housing and Urban Development, Small Area FMRs of FY2025, `fy2025_safmrs_revised.xlsx` (public domain).
 */
const table = `
OH Cuyahoga: 44105 Cleveland 1000, 44144 Cleveland 1090, 44123 Euclid 1210, 44121 Cleveland 1340, 44149 Strongsville 1540, 44141 Brecksville 1810, 44109 Cleveland 1010, 44111 Cleveland 1100
OH Franklin: 43205 Columbus 1180, 43232 Columbus 1240, 43202 Columbus 1380, 43068 Reynoldsburg 1450, 43230 Columbus 1670, 43215 Columbus 2170, 43211 Columbus 1180, 43207 Columbus 1200
OH Hamilton: 45206 Cincinnati 1120, 45215 Cincinnati 1210, 45220 Cincinnati 1320, 45241 Cincinnati 1480, 45243 Cincinnati 1930, 45205 Cincinnati 1100, 45211 Cincinnati 1080
OH Montgomery: 45345 New Lebanon 930, 45428 Dayton 980, 45410 Dayton 1050, 45429 Dayton 1080, 45459 Dayton 1250, 45354 Phillipsburg 1620, 45406 Dayton 990, 45403 Dayton 930
OH Lucas: 43604 Toledo 890, 43611 Toledo 1000, 43606 Toledo 1030, 43609 Toledo 1080, 43617 Toledo 1140, 43566 Waterville 1460, 43605 Toledo 1050, 43612 Toledo 1120
OH Summit: 44262 Munroe Falls 940, 44303 Akron 1030, 44306 Akron 1070, 44278 Tallmadge 1150, 44224 Stow 1290, 44056 Macedonia 1700, 44310 Akron 1030, 44305 Akron 1160
IN Marion: 46218 Indianapolis 1220, 46222 Indianapolis 1220, 46254 Indianapolis 1220, 46260 Indianapolis 1300, 46250 Indianapolis 1490, 46204 Indianapolis 1900, 46201 Indianapolis 1220, 46203 Indianapolis 1220
MI Wayne: 48180 Taylor 1170, 48218 River Rouge 1170, 48193 Riverview 1250, 48186 Westland 1330, 48152 Livonia 1550, 48204 Detroit 1170, 48228 Detroit 1170
IL Cook: 60609 Chicago 1220, 60619 Chicago 1430, 60643 Chicago 1640, 60645 Chicago 1890, 60201 Evanston 2370, 60712 Lincolnwood 2640, 60617 Chicago 1270, 60629 Chicago 1330
WI Milwaukee: 53204 Milwaukee 1060, 53216 Milwaukee 1100, 53212 Milwaukee 1190, 53221 Milwaukee 1270, 53228 Milwaukee 1460, 53203 Milwaukee 1890, 53208 Milwaukee 1130, 53215 Milwaukee 1070
MO Jackson: 64030 Grandview 1140, 64129 Kansas City 1140, 64138 Kansas City 1240, 64131 Kansas City 1350, 64146 Kansas City 1550, 64082 Lees Summit 2000, 64110 Kansas City 1310, 64130 Kansas City 1160
MO St. Louis city: 63106 Saint Louis 1090, 63113 Saint Louis 1090, 63147 Saint Louis 1100, 63109 Saint Louis 1210, 63139 Saint Louis 1280, 63108 Saint Louis 1730, 63116 Saint Louis 1140, 63118 Saint Louis 1150
NE Douglas: 68111 Omaha 1060, 68105 Omaha 1170, 68127 Omaha 1250, 68112 Omaha 1390, 68122 Omaha 1480, 68135 Omaha 1890, 68104 Omaha 1140, 68107 Omaha 1180
KY Jefferson: 40203 Louisville 1180, 40209 Louisville 1210, 40258 Louisville 1350, 40291 Louisville 1450, 40242 Louisville 1570, 40023 Fisherville 1890, 40212 Louisville 1180, 40215 Louisville 1230
PA Allegheny: 15137 North Versailles 1100, 15233 Pittsburgh 1280, 15075 Rural Ridge 1360, 15220 Pittsburgh 1530, 15232 Pittsburgh 1920, 15210 Pittsburgh 1310, 15206 Pittsburgh 1630
TN Shelby: 38106 Memphis 1180, 38112 Memphis 1200, 38113 Memphis 1360, 38104 Memphis 1500, 38017 Collierville 1800, 38139 Germantown 2030, 38127 Memphis 1230, 38118 Memphis 1250
TN Davidson: 37080 Joelton 1460, 37072 Goodlettsville 1750, 37013 Antioch 1930, 37221 Nashville 2240, 37220 Nashville 2740, 37207 Nashville 1460, 37211 Nashville 1780
AL Jefferson: 35006 Adger 1130, 35221 Birmingham 1130, 35206 Birmingham 1200, 35235 Birmingham 1400, 35223 Birmingham 1900, 35208 Birmingham 1130, 35211 Birmingham 1130
GA Fulton: 30314 Atlanta 1350, 30310 Atlanta 1590, 30075 Roswell 2220, 30327 Atlanta 2470, 30309 Atlanta 2750, 30315 Atlanta 1350, 30318 Atlanta 1990
NC Mecklenburg: 28206 Charlotte 1530, 28216 Charlotte 1830, 28134 Pineville 1980, 28105 Matthews 2060, 28273 Charlotte 2230, 28203 Charlotte 2740, 28208 Charlotte 1570, 28212 Charlotte 1790
FL Duval: 32234 Jacksonville 1210, 32202 Jacksonville 1460, 32277 Jacksonville 1580, 32233 Atlantic Beach 1820, 32225 Jacksonville 2040, 32226 Jacksonville 2600, 32208 Jacksonville 1480, 32210 Jacksonville 1460
FL Hillsborough: 33527 Dover 1320, 33610 Tampa 1750, 33614 Tampa 2010, 33616 Tampa 2260, 33625 Tampa 2440, 33604 Tampa 1840, 33605 Tampa 1650
TX Dallas: 75210 Dallas 1230, 75241 Dallas 1590, 75243 Dallas 1760, 75038 Irving 2000, 75063 Irving 2270, 75225 Dallas 2830, 75216 Dallas 1300, 75217 Dallas 1350
TX Tarrant: 76115 Fort Worth 1300, 76010 Arlington 1540, 76155 Fort Worth 1710, 76006 Arlington 1920, 76148 Fort Worth 2200, 76123 Fort Worth 2560, 76105 Fort Worth 1380, 76119 Fort Worth 1380
TX Harris: 77011 Houston 1000, 77035 Houston 1300, 77032 Houston 1410, 77089 Houston 1630, 77377 Tomball 1900, 77401 Bellaire 2290, 77020 Houston 1090, 77026 Houston 1000
TX Bexar: 78101 Adkins 1020, 78221 San Antonio 1310, 78263 San Antonio 1460, 78250 San Antonio 1610, 78244 San Antonio 1820, 78260 San Antonio 2250, 78207 San Antonio 1090, 78210 San Antonio 1250
OK Oklahoma: 73007 Arcadia 990, 73141 Oklahoma City 1030, 73045 Harrah 1140, 73130 Oklahoma City 1270, 73020 Choctaw 1440, 73179 Oklahoma City 1770, 73119 Oklahoma City 1040, 73112 Oklahoma City 1190
OK Tulsa: 74106 Tulsa 1020, 74107 Tulsa 1130, 74130 Tulsa 1180, 74108 Tulsa 1260, 74104 Tulsa 1360, 74103 Tulsa 1710, 74110 Tulsa 1070, 74112 Tulsa 1210
AZ Maricopa: 85006 Phoenix 1690, 85008 Phoenix 1740, 85014 Phoenix 1970, 85308 Glendale 2240, 85254 Scottsdale 2530, 85331 Cave Creek 2930, 85033 Phoenix 1690, 85041 Phoenix 1700`;

/** All places, grouped by metro. */
export const demoMetros: readonly (readonly DemoPlace[])[] = table.trim().split('\n').map(readLine);

/** Places outside the 29 metros, without known rents. */
export const placesOutside: readonly DemoPlace[] = [
  { state: 'IA', county: 'Polk', zip: '50314', city: 'Des Moines', rent: 1100 },
  { state: 'AR', county: 'Pulaski', zip: '72204', city: 'Little Rock', rent: 1050 },
  { state: 'SC', county: 'Richland', zip: '29203', city: 'Columbia', rent: 1200 },
  { state: 'MS', county: 'Hinds', zip: '39209', city: 'Jackson', rent: 1050 },
];

function readLine(line: string): DemoPlace[] {
  const [head = '', tail = ''] = line.split(': ');
  return tail.split(', ').map((entry) => {
    const [zip = '', ...words] = entry.split(' ');
    const rent = Number(words.pop());
    return { state: head.slice(0, 2), county: head.slice(3), zip, city: words.join(' '), rent };
  });
}
