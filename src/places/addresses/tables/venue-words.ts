/** Buildings where sales are held: an address that names one says where the auction is, not what is sold. */
export const venueWords =
  /\b(?:COURT ?HOUSE|JUSTICE CENTER|JUSTICE CENTRE|HALL OF JUSTICE|SHERIFFS? OFFICE|SHERIFFS? DEPARTMENT|AUCTION ROOM|COUNTY ADMINISTRATION (?:BUILDING|BLDG))\b/;
