/** Buildings where sales are held: an address with one is the location of the auction, not of the property. */
export const venueWords =
  /\b(?:COURT ?HOUSE|JUSTICE CENTER|JUSTICE CENTRE|HALL OF JUSTICE|SHERIFFS? OFFICE|SHERIFFS? DEPARTMENT|AUCTION ROOM|COUNTY ADMINISTRATION (?:BUILDING|BLDG))\b/;
