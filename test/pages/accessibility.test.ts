describe('the pages in a browser, at the width of a phone and of a desk, light and dark', () => {
  it('break no rule of axe');
  it('report no error, ask no other host for anything, and keep to their policy');
  it('do not scroll sideways');
  it('can be read without a script');
});
