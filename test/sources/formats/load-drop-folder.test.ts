import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { displayFieldsOf } from '../../../src/sources/display-fields.js';
import { loadDropFolder } from '../../../src/sources/formats/load-drop-folder.js';
import { createDropRoot, plainManifest, testNow, writeFeed } from './drop-feed.js';

describe('loadDropFolder', () => {
  let root: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ root, remove } = await createDropRoot());
  });
  afterEach(() => remove());
  const load = () => loadDropFolder(root, { now: () => testNow });

  it('rejects each feed whose manifest is missing or invalid, with the reason, and loads the others', async () => {
    const { licence, ...unlicensed } = plainManifest;
    await writeFeed(root, 'a-good', plainManifest, {});
    await writeFeed(root, 'b-none', undefined, {});
    await mkdir(join(root, 'c-broken'));
    await writeFile(join(root, 'c-broken', 'manifest.json'), '{"name": ');
    await writeFeed(root, 'd-unlicensed', unlicensed, {});
    await writeFeed(root, 'e-outside', { ...plainManifest, name: 'outside', file: '../secrets.csv' }, {});
    await writeFeed(
      root,
      'f-misspelt',
      { ...plainManifest, name: 'misspelt', mapping: { ...plainManifest.mapping, caprate: 'cap' } },
      {},
    );
    await writeFeed(root, 'g-demo', { ...plainManifest, name: 'demo', demonstration: true }, {});
    await writeFeed(
      root,
      'h-keyless',
      { ...plainManifest, name: 'keyless', mapping: { city: 'city', state: 'state' } },
      {},
    );
    await writeFeed(root, 'i-again', plainManifest, {});
    await writeFeed(
      root,
      'k-shown',
      { ...plainManifest, name: 'shown', licence: { ...licence, displayFields: ['price'] } },
      {},
    );
    await writeFeed(
      root,
      'j-expiry',
      { ...plainManifest, name: 'expiry', licence: { ...licence, expiresAt: 'soon' } },
      {},
    );
    const { sources, refused } = await load();
    assert.deepEqual(
      sources.map(({ name, kind }) => `${kind} ${name}`),
      ['drop-folder brokers'],
    );
    const problems = Object.fromEntries(refused.map(({ folder, problem }) => [folder, problem]));
    assert.match(problems['b-none'] ?? '', /no manifest\.json/);
    assert.match(problems['c-broken'] ?? '', /not JSON/);
    assert.match(problems['d-unlicensed'] ?? '', /licence/);
    assert.match(problems['e-outside'] ?? '', /file: must be a file name/);
    assert.match(problems['f-misspelt'] ?? '', /mapping/);
    assert.match(problems['g-demo'] ?? '', /demonstration/);
    assert.match(problems['h-keyless'] ?? '', /sourceKey/);
    assert.match(problems['i-again'] ?? '', /already has the name brokers/);
    assert.match(problems['j-expiry'] ?? '', /expiresAt/);
    assert.match(problems['k-shown'] ?? '', /licence\.displayFields/);
    assert.equal(refused.length, 10);
  });

  it('keeps the licence as the manifest states it', async () => {
    const displayFields = ['address', 'city', 'zip', 'listPrice', 'units'];
    const licence = { ...plainManifest.licence, expiresAt: '2027-01-01' };
    await writeFeed(root, 'feed', { ...plainManifest, licence: { ...licence, displayFields } }, {});
    await writeFeed(root, 'plain', { ...plainManifest, name: 'plain' }, {});
    const { sources } = await load();
    const { undisplayedFields, ...rest } = sources[0]?.licence ?? assert.fail();
    assert.deepEqual(rest, { ...licence, expiresAt: new Date('2027-01-01T00:00:00Z') });
    const always = ['marketplace', 'saleCondition', 'sourceKey', 'state', 'terms'];
    assert.deepEqual(
      [...(undisplayedFields ?? []), ...displayFields, ...always].sort(),
      [...displayFieldsOf('listings')].sort(),
      'all but what it names and what each listing has',
    );
    assert.deepEqual(sources[1]?.licence.undisplayedFields, [], 'it names none: all');
  });

  it('says what to do when the drop folder is missing', async () => {
    await assert.rejects(loadDropFolder(join(root, 'none'), { now: () => testNow }), /cannot be listed\. Create it/);
  });
});
