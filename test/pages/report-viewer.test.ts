describe('the report viewer in a browser', () => {
  it('draws a report that was bought: every figure of its underwriting, scores and offer range stands on the page');
  it('draws a report with everything absent, each absence with its reason');
  it('shows the heat map of each measure, readable without its colours');
  it('links the evidence to its public records, and to nothing that is not http');
  it('writes what comes from a report as text, never as markup');
  it('says what is wrong with a file that is no report');
  it('takes a file that is dropped, chosen or pasted, and sends it nowhere');
  it('fetches a report that was paid for with the wallet that paid');
  it('opens and draws without a network once it was visited');
  it('prints all of the report and nothing else');
});
