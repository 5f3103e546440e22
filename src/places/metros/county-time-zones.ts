/**
 * IANA zone of each state by the first two digits of a county FIPS code; in a state with two, the zone of most
 * counties.
 */
export const stateTimeZones: Readonly<Record<string, string>> = {
  ...zoneOf('America/New_York', '09 10 11 12 13 18 21 23 24 25 26 33 34 36 37 39 42 44 45 50 51 54'),
  ...zoneOf('America/Chicago', '01 05 17 19 20 22 27 28 29 31 38 40 46 47 48 55'),
  ...zoneOf('America/Denver', '08 16 30 35 49 56'),
  ...zoneOf('America/Phoenix', '04'),
  ...zoneOf('America/Los_Angeles', '06 32 41 53'),
  ...zoneOf('America/Anchorage', '02'),
  ...zoneOf('Pacific/Honolulu', '15'),
  ...zoneOf('America/Puerto_Rico', '72'),
};

/**
 * Counties in another zone than most of their state. A county split between zones counts with its seat. Source: 49 CFR
 * part 71, standard time zone boundaries.
 */
export const countyTimeZones: Readonly<Record<string, string>> = {
  ...zoneOf('America/Chicago', counties('12', '005 013 033 059 063 091 113 131 133')),
  ...zoneOf('America/Los_Angeles', counties('16', '009 017 021 035 049 055 057 061 069 079')),
  ...zoneOf('America/Chicago', counties('18', '051 073 089 091 111 123 127 129 147 149 163 173')),
  ...zoneOf(
    'America/Chicago',
    counties(
      '21',
      '001 003 007 009 027 031 033 035 039 047 053 055 057 059 061 075 083 085 087 091 099 101 105 107 139 141 143 145 ' +
        '149 157 169 171 177 183 207 213 219 221 225 227 233',
    ),
  ),
  ...zoneOf('America/Chicago', counties('26', '043 053 071 109')),
  ...zoneOf(
    'America/New_York',
    counties(
      '47',
      '001 009 011 013 019 025 029 057 059 063 065 067 073 089 091 093 105 107 121 123 129 139 143 145 151 155 163 171 ' +
        '173 179',
    ),
  ),
  ...zoneOf('America/Denver', counties('20', '071 075 181 199')),
  ...zoneOf(
    'America/Denver',
    counties('31', '005 007 013 029 033 045 049 057 069 075 091 101 105 123 135 157 161 165'),
  ),
  ...zoneOf('America/Denver', counties('38', '001 007 011 025 033 037 041 087 089')),
  ...zoneOf('America/Denver', counties('41', '045')),
  ...zoneOf('America/Denver', counties('46', '007 019 031 033 041 047 055 063 071 081 093 102 103 105 137')),
  ...zoneOf('America/Denver', counties('48', '141 229')),
};

function zoneOf(zone: string, codes: string): Record<string, string> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, zone]));
}

function counties(state: string, codes: string): string {
  return codes
    .split(' ')
    .map((code) => state + code)
    .join(' ');
}
