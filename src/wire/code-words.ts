// What people read for codes of the contract, on pages and terminals alike. The pages' words hold that each has some.

export const leadKinds = {
  sheriff_sale_auction: 'sheriff sale',
  tax_delinquent_owner: 'owner behind on taxes',
  motivated_listing: 'distressed listing',
};

export const saleStatuses = {
  scheduled: 'scheduled',
  adjourned: 'adjourned',
  withdrawn: 'withdrawn',
  cancelled: 'canceled',
  sold: 'sold',
  no_bid: 'no bid',
  unknown: 'not known',
};

export const eventNames = {
  listed: 'listed',
  relisted: 'listed again',
  repriced: 'price changed',
  status_changed: 'status changed',
  rescheduled: 'sale moved',
  removed: 'removed',
};

export const sectionStates = {
  full: 'whole',
  partial: 'in part',
  none: 'none',
};
