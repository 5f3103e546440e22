describe('the guide to errors', () => {
  it('has one entry for each reason of the contract, with status, billing and what to do');
  it('is where the `type` of every error leads');
});
