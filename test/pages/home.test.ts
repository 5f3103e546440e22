describe('the landing page', () => {
  it('says what /api/meta, /api/sources and the contract say: figures, prices, freshness');
  it('shows each covered metro on the map with the number of its deals, and the same in a table');
  it('draws claimed against HUD and the score of each free sample, and says so where a figure is absent');
  it('names no owner and no party of a case');
  it('writes what comes from data as text, never as markup');
  it('changes with the feed, and answers 304 while nothing has changed');
  it('says in plain words that a demonstration is one');
  it('shows an empty feed without an error');
  it('buys with the code, the curl and the command that it shows');
});
