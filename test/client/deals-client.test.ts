describe('a deals client', () => {
  it('buys with the price of the 402, and gives the records with what was paid');
  it('has a method for each operation, with its parameters where they belong');
  it('takes what is free without an account, and says what is missing where there is a price');
  it('gives each payment an identifier of its own');
});

describe('the caps of a deals client', () => {
  it('signs nothing above the price of a call, unless the call itself allows more');
  it('sets the price aside before it signs, so that calls at once cannot exceed the budget');
  it('gives back what was refused');
  it('keeps what may still be charged set aside');
  it('counts what was spent within the hour and the day, by the clock it is given');
  it('holds its budget over a restart');
  it('pays with no token but those that are allowed');
  it('tells the price before it signs, and signs nothing when it is not wanted');
  it('refuses options that make no sense before anything is asked');
});

describe('a deals client whose outcome is open', () => {
  it('presents the very same payment again at the next call, also after a restart');
  it('asks what became of a payment before it signs another one');
  it('signs again only when the first payment can never be charged any more');
  it('keeps a refused payment that an earlier, unanswered request may still carry');
  it('lets two calls for the same at once pay for one each');
  it('ends at once when it is aborted, and keeps what was presented');
  it('signs nothing when the payment cannot be kept');
});

describe('what a deals client knows already', () => {
  it('is had again free while the server says that it is current');
  it('is never taken for another exclusive lead');
});

describe('reading a whole result set', () => {
  it('pays once and reads the further pages free, telling how far it is');
  it('reads the pages of an envelope as well');
  it('ends with the reason when a page is gone, after the records that are there');
});
