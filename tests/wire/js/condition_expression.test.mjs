// The language of conditions, as a table: each holds or does not hold for one
// item. Conditions of writes and filters of reads must agree on every line.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { B, createTable, dynamodb, N, refused, S } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S' });
const Key = { pk: S('item') };
const Item = {
  ...Key,
  text: S('hello world'),
  number: N('10.50'),
  bytes: B(1, 2, 3),
  yes: { BOOL: true },
  nothing: { NULL: true },
  strings: { SS: ['a', 'b'] },
  numbers: { NS: ['1', '2.5'] },
  list: { L: [S('x'), N(2), { M: { deep: N(3) } }] },
  map: { M: { core: S('in'), 'odd.name': N(1) } },
  same: S('hello world'),
  emptyText: S(''),
};
before(() => dynamodb.putItem({ TableName, Item }));

const holds = [
  ['text = :v', { ':v': S('hello world') }],
  [':v = text', { ':v': S('hello world') }],
  ['text = same'],
  ['number = :v', { ':v': N('1.05E1') }],
  ['text <> :v', { ':v': S('other') }],
  ['absent <> :v', { ':v': S('other') }],
  ['text <> :v', { ':v': N(1) }],
  ['number < :v', { ':v': N('10.51') }],
  ['number <= :v AND number >= :v', { ':v': N('10.5') }],
  ['bytes > :v', { ':v': B(1, 2) }],
  ['number BETWEEN :a AND :b', { ':a': N(10), ':b': N(11) }],
  ['text IN (:a, :b)', { ':a': S('x'), ':b': S('hello world') }],
  ['attribute_exists(#m.core)', undefined, { '#m': 'map' }],
  ['attribute_exists(#m.#o)', undefined, { '#m': 'map', '#o': 'odd.name' }],
  ['attribute_not_exists(absent)'],
  ['attribute_not_exists(#l[3])', undefined, { '#l': 'list' }],
  ['attribute_type(nothing, :t)', { ':t': S('NULL') }],
  ['attribute_type(strings, :t)', { ':t': S('SS') }],
  ['begins_with(#t, :p)', { ':p': S('hello') }, { '#t': 'text' }],
  ['begins_with(bytes, :p)', { ':p': B(1, 2) }],
  ['contains(#t, :p)', { ':p': S('lo wo') }, { '#t': 'text' }],
  ['contains(strings, :p)', { ':p': S('b') }],
  ['contains(numbers, :p)', { ':p': N('2.50') }],
  ['contains(#l, :p)', { ':p': N(2) }, { '#l': 'list' }],
  ['contains(#l, :p)', { ':p': { M: { deep: N(3) } } }, { '#l': 'list' }],
  ['size(#t) = :n', { ':n': N(11) }, { '#t': 'text' }],
  ['size(bytes) = :n', { ':n': N(3) }],
  ['size(strings) = :n', { ':n': N(2) }],
  ['size(#l) > size(strings)', undefined, { '#l': 'list' }],
  ['size(#m) = :n', { ':n': N(2) }, { '#m': 'map' }],
  ['size(emptyText) = :n', { ':n': N(0) }],
  ['#l[2].deep = :n', { ':n': N(3) }, { '#l': 'list' }],
  ['strings = :s', { ':s': { SS: ['b', 'a'] } }],
  ['numbers = :s', { ':s': { NS: ['2.50', '1.0'] } }],
  ['#l = :v', { ':v': Item.list }, { '#l': 'list' }],
  ['#m = :v', { ':v': Item.map }, { '#m': 'map' }],
  ['yes = :v', { ':v': { BOOL: true } }],
  ['nothing = :v', { ':v': { NULL: true } }],
  ['NOT absent = :v', { ':v': N(1) }],
  ['text = :x OR number = :n AND yes = :y', { ':x': S('no'), ':n': N('10.5'), ':y': { BOOL: true } }],
  ['text = :x OR number = :n AND yes = :f', { ':x': S('hello world'), ':n': N(0), ':f': { BOOL: false } }],
  ['NOT (text = :x OR number = :n)', { ':x': S('no'), ':n': N(0) }],
  ['(text = :x) aNd (nOt number = :n)', { ':x': S('hello world'), ':n': N(0) }],
];
const doesNotHold = [
  ['text = :v', { ':v': N(1) }],
  ['absent = :v', { ':v': N(1) }],
  ['absent < :v', { ':v': N(1) }],
  ['absent BETWEEN :a AND :b', { ':a': N(1), ':b': N(2) }],
  ['absent IN (:a)', { ':a': N(1) }],
  ['number < :v', { ':v': S('zzz') }],
  ['text BETWEEN :a AND :b', { ':a': N(1), ':b': N(2) }],
  ['begins_with(#n, :p)', { ':p': S('1') }, { '#n': 'number' }],
  ['contains(#n, :p)', { ':p': S('1') }, { '#n': 'number' }],
  ['contains(strings, :p)', { ':p': N(1) }],
  ['contains(#t, :p)', { ':p': S('WORLD') }, { '#t': 'text' }],
  ['size(#n) > :z', { ':z': N(0) }, { '#n': 'number' }],
  ['size(absent) >= :z', { ':z': N(0) }],
  ['attribute_type(#t, :t)', { ':t': S('N') }, { '#t': 'text' }],
  ['attribute_exists(#m.absent)', undefined, { '#m': 'map' }],
  ['attribute_exists(#t.core)', undefined, { '#t': 'text' }],
  ['strings = :s', { ':s': { SS: ['a'] } }],
  ['NOT attribute_exists(pk)'],
  ['text = :x AND (number = :n OR yes = :f)', { ':x': S('hello world'), ':n': N(0), ':f': { BOOL: false } }],
];

// Bare names that are reserved words in Amazon's list get a placeholder, so
// that the table above stays readable.
function withNames(expression, names) {
  const reserved = ['text', 'number', 'bytes', 'yes', 'list', 'map'];
  const all = { ...names };
  const rewritten = expression.replace(/(?<![#:\w.])(\w+)(?![\w(])/g, (word) => {
    if (!reserved.includes(word)) return word;
    all[`#reserved_${word}`] = word;
    return `#reserved_${word}`;
  });
  return [rewritten, Object.keys(all).length ? all : undefined];
}

for (const [truth, lines] of [[true, holds], [false, doesNotHold]]) {
  for (const [line, ExpressionAttributeValues, names] of lines) {
    const [expression, ExpressionAttributeNames] = withNames(line, names);
    test(`${truth ? 'holds' : 'does not hold'}: ${line} ${JSON.stringify(ExpressionAttributeValues ?? {})}`, async () => {
      const common = { TableName, ExpressionAttributeValues, ExpressionAttributeNames };
      const put = dynamodb.putItem({ ...common, Item, ConditionExpression: expression });
      if (truth) await put;
      else await refused(put, 'ConditionalCheckFailedException');
      const { Count, ScannedCount } = await dynamodb.scan({ ...common, FilterExpression: expression });
      assert.deepEqual([Count, ScannedCount], [truth ? 1 : 0, 1]);
    });
  }
}

const refusedOnes = [
  ['an empty expression', ''],
  ['a lone operand', 'a'],
  ['a missing operand', 'a ='],
  ['a double operator', 'a = = b'],
  ['an unclosed parenthesis', '(a = :v', { ':v': N(1) }],
  ['redundant parentheses', '((a = :v))', { ':v': N(1) }],
  ['a reserved word', 'name = :v', { ':v': N(1) }],
  ['an unknown function', 'exists(a)'],
  ['a function in the wrong case', 'Attribute_Exists(a)'],
  ['a boolean function as an operand', 'attribute_exists(a) = :v', { ':v': { BOOL: true } }],
  ['size as a condition', 'size(a)'],
  ['too many operands', 'attribute_exists(a, b)'],
  ['a value where a path must be', 'attribute_exists(:v)', { ':v': S('a') }],
  ['a number as a prefix', 'begins_with(a, :v)', { ':v': N(1) }],
  ['an ordering of booleans', 'a < :v', { ':v': { BOOL: true } }],
  ['an unknown type name', 'attribute_type(a, :v)', { ':v': S('X') }],
  ['a type name that is no string', 'attribute_type(a, :v)', { ':v': N(1) }],
  ['bounds of two types', 'a BETWEEN :a AND :b', { ':a': N(1), ':b': S('2') }],
  ['bounds the wrong way round', 'a BETWEEN :a AND :b', { ':a': N(2), ':b': N(1) }],
  ['a path compared with itself', 'a = a'],
  ['an undefined value', 'a = :v'],
  ['an unused value', 'attribute_exists(a)', { ':v': N(1) }],
  ['a bare number', 'a = 1'],
  ['a negative index', 'a[-1] = :v', { ':v': N(1) }],
  ['more than a hundred operands of IN', `a IN (${Array.from({ length: 101 }, (_, i) => `:v${i}`)})`,
    Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`:v${i}`, N(i)]))],
  ['more than 4096 bytes', `a = :v${' '.repeat(4096)}`, { ':v': N(1) }],
];
for (const [what, ConditionExpression, ExpressionAttributeValues] of refusedOnes) {
  test(`refuses ${what}`, () =>
    refused(dynamodb.putItem({ TableName, Item, ConditionExpression, ExpressionAttributeValues }), 'ValidationException'));
}

test('accepts a hundred operands of IN', () =>
  refused(
    dynamodb.putItem({
      TableName,
      Item,
      ConditionExpression: `absent IN (${Array.from({ length: 100 }, (_, i) => `:v${i}`)})`,
      ExpressionAttributeValues: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`:v${i}`, N(i)])),
    }),
    'ConditionalCheckFailedException',
  ));
