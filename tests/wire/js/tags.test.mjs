// TagResource, UntagResource, ListTagsOfResource.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTable, dynamodb, refused } from '../harness/index.mjs';

const TableName = await createTable();
let ResourceArn;
before(async () => {
  ResourceArn = (await dynamodb.describeTable({ TableName })).Table.TableArn;
});
const list = async () => {
  const { Tags } = await dynamodb.listTagsOfResource({ ResourceArn });
  return Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]));
};

test('adds, replaces and removes', async () => {
  assert.deepEqual(await list(), {});
  await dynamodb.tagResource({ ResourceArn, Tags: [{ Key: 'a', Value: '1' }, { Key: 'b', Value: '' }] });
  await dynamodb.tagResource({ ResourceArn, Tags: [{ Key: 'a', Value: '2' }, { Key: 'A', Value: '3' }] });
  assert.deepEqual(await list(), { a: '2', b: '', A: '3' });
  await dynamodb.untagResource({ ResourceArn, TagKeys: ['a', 'not there'] });
  assert.deepEqual(await list(), { b: '', A: '3' });
  await dynamodb.untagResource({ ResourceArn, TagKeys: ['b', 'A'] });
  assert.deepEqual(await list(), {});
});

const refusals = [
  ['no tags', () => dynamodb.tagResource({ ResourceArn, Tags: [] })],
  ['no keys', () => dynamodb.untagResource({ ResourceArn, TagKeys: [] })],
  ['a key of Amazon\'s', () => dynamodb.tagResource({ ResourceArn, Tags: [{ Key: 'aws:a', Value: '' }] })],
  ['a key of 129 letters', () => dynamodb.tagResource({ ResourceArn, Tags: [{ Key: 'k'.repeat(129), Value: '' }] })],
  ['a value of 257 letters', () => dynamodb.tagResource({ ResourceArn, Tags: [{ Key: 'k', Value: 'v'.repeat(257) }] })],
  ['a key twice', () => dynamodb.tagResource({ ResourceArn, Tags: [{ Key: 'k', Value: '1' }, { Key: 'k', Value: '2' }] })],
  ['51 tags', () => dynamodb.tagResource({ ResourceArn, Tags: Array.from({ length: 51 }, (_, i) => ({ Key: `k${i}`, Value: '' })) })],
];
for (const [what, call] of refusals) {
  test(`refuses ${what}`, async () => {
    await refused(call(), 'ValidationException');
    assert.deepEqual(await list(), {});
  });
}

test('does not know a table that is not there', () =>
  refused(
    dynamodb.tagResource({ ResourceArn: `${ResourceArn}-nowhere`, Tags: [{ Key: 'a', Value: 'b' }] }),
    'ResourceNotFoundException',
  ));
