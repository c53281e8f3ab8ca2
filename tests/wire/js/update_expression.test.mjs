// The language of UpdateExpression: what each clause does to an item, and what
// it refuses to do.

import { test } from 'node:test';
import { B, createTable, dynamodb, N, plain, refused, S, sameValue, uniqueName } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S' });

async function update(before, UpdateExpression, values, names) {
  const pk = S(uniqueName('item'));
  await dynamodb.putItem({ TableName, Item: { pk, ...before } });
  const { Attributes } = await dynamodb.updateItem({
    TableName,
    Key: { pk },
    UpdateExpression,
    ExpressionAttributeValues: values,
    ExpressionAttributeNames: names,
    ReturnValues: 'ALL_NEW',
  });
  delete Attributes.pk;
  return Attributes;
}

const sorted = (item) =>
  Object.fromEntries(
    Object.entries(plain(item)).map(([name, value]) => {
      const [type, inner] = Object.entries(value)[0];
      return [name, type.endsWith('S') && type.length === 2 ? { [type]: [...inner].sort() } : value];
    }),
  );

const L = (...items) => ({ L: items });
const M = (attributes) => ({ M: attributes });

const works = [
  ['SET adds and replaces', { a: N(1) }, 'SET a = :v, b = :w', { ':v': S('x'), ':w': N(2) }, { a: S('x'), b: N(2) }],
  ['SET copies the value from before the update', { a: N(1), b: N(2) }, 'SET a = b, b = a', undefined, { a: N(2), b: N(1) }],
  ['SET adds numbers', { a: N('0.1') }, 'SET a = a + :v', { ':v': N('0.2') }, { a: N('0.3') }],
  ['SET subtracts numbers', { a: N(1) }, 'SET a = :v - a', { ':v': N(10) }, { a: N(9) }],
  ['if_not_exists keeps what is there', { a: N(1) }, 'SET a = if_not_exists(a, :v)', { ':v': N(5) }, { a: N(1) }],
  ['if_not_exists falls back', {}, 'SET a = if_not_exists(a, :v) + :v', { ':v': N(5) }, { a: N(10) }],
  ['if_not_exists may look elsewhere', { b: N(3) }, 'SET a = if_not_exists(b, :v)', { ':v': N(5) }, { a: N(3), b: N(3) }],
  ['list_append at the end', { a: L(N(1)) }, 'SET a = list_append(a, :v)', { ':v': L(N(2)) }, { a: L(N(1), N(2)) }],
  ['list_append at the front', { a: L(N(1)) }, 'SET a = list_append(:v, a)', { ':v': L(N(2)) }, { a: L(N(2), N(1)) }],
  [
    'list_append to a list that may be missing',
    {},
    'SET a = list_append(if_not_exists(a, :e), :v)',
    { ':e': L(), ':v': L(N(1)) },
    { a: L(N(1)) },
  ],
  ['SET a nested attribute', { m: M({ x: N(1) }) }, 'SET m.y = :v', { ':v': N(2) }, { m: M({ x: N(1), y: N(2) }) }],
  ['SET a list element', { a: L(N(1), N(2)) }, 'SET a[1] = :v', { ':v': N(9) }, { a: L(N(1), N(9)) }],
  ['SET past the end appends', { a: L(N(1)) }, 'SET a[7] = :v', { ':v': N(9) }, { a: L(N(1), N(9)) }],
  [
    'SET several past the end appends in order of index',
    { a: L() },
    'SET a[9] = :z, a[5] = :y',
    { ':y': S('y'), ':z': S('z') },
    { a: L(S('y'), S('z')) },
  ],
  ['SET deep in lists and maps', { a: L(M({ b: L(N(0)) })) }, 'SET a[0].b[0] = :v', { ':v': N(1) }, { a: L(M({ b: L(N(1)) })) }],
  ['REMOVE attributes', { a: N(1), b: N(2), c: N(3) }, 'REMOVE a, c', undefined, { b: N(2) }],
  ['REMOVE what is not there', { a: N(1) }, 'REMOVE b', undefined, { a: N(1) }],
  ['REMOVE list elements by their old places', { a: L(N(0), N(1), N(2), N(3)) }, 'REMOVE a[0], a[2]', undefined, { a: L(N(1), N(3)) }],
  ['REMOVE past the end', { a: L(N(0)) }, 'REMOVE a[5]', undefined, { a: L(N(0)) }],
  ['REMOVE a nested attribute', { m: M({ x: N(1), y: N(2) }) }, 'REMOVE m.x', undefined, { m: M({ y: N(2) }) }],
  ['ADD to a number', { a: N(1) }, 'ADD a :v', { ':v': N(-3) }, { a: N(-2) }],
  ['ADD to a missing number', {}, 'ADD a :v', { ':v': N(4) }, { a: N(4) }],
  ['ADD to a string set', { a: { SS: ['x'] } }, 'ADD a :v', { ':v': { SS: ['x', 'y'] } }, { a: { SS: ['x', 'y'] } }],
  ['ADD to a number set', { a: { NS: ['1'] } }, 'ADD a :v', { ':v': { NS: ['1.0', '2'] } }, { a: { NS: ['1', '2'] } }],
  ['ADD makes a missing set', {}, 'ADD a :v', { ':v': { BS: [Uint8Array.of(1)] } }, { a: { BS: [Uint8Array.of(1)] } }],
  ['DELETE from a set', { a: { SS: ['x', 'y'] } }, 'DELETE a :v', { ':v': { SS: ['y', 'z'] } }, { a: { SS: ['x'] } }],
  ['DELETE of the last element removes the attribute', { a: { NS: ['1'] } }, 'DELETE a :v', { ':v': { NS: ['1'] } }, {}],
  ['DELETE from what is not there', {}, 'DELETE a :v', { ':v': { SS: ['y'] } }, {}],
  [
    'all four clauses at once, in any order and case',
    { a: N(1), b: N(2), c: { SS: ['x', 'y'] }, d: N(4) },
    'remove b delete c :c Set a = :a ADD d :d',
    { ':a': N(9), ':c': { SS: ['y'] }, ':d': N(1) },
    { a: N(9), c: { SS: ['x'] }, d: N(5) },
  ],
  ['parentheses around a value', { a: N(1) }, 'SET a = (a + :v)', { ':v': N(1) }, { a: N(2) }],
  ['names with dots through placeholders', {}, 'SET #n = :v', { ':v': N(1) }, { 'x.y': N(1) }, { '#n': 'x.y' }],
  ['binary values', { a: B(1) }, 'SET a = :v', { ':v': B(2, 3) }, { a: B(2, 3) }],
];
for (const [what, before, expression, values, expected, names] of works) {
  test(what, async () => {
    const after = await update(before, expression, values, names);
    sameValue(sorted(after), sorted(expected));
  });
}

const fails = [
  ['a missing attribute as operand', { a: N(1) }, 'SET b = c', undefined],
  ['arithmetic on a string', { a: S('x') }, 'SET a = a + :v', { ':v': N(1) }],
  ['arithmetic with a string value', { a: N(1) }, 'SET a = a + :v', { ':v': S('x') }],
  ['list_append to a string', { a: S('x') }, 'SET a = list_append(a, :v)', { ':v': L() }],
  ['a path through a missing map', {}, 'SET m.x = :v', { ':v': N(1) }],
  ['a path through a scalar', { m: N(1) }, 'SET m.x = :v', { ':v': N(1) }],
  ['an index into a map', { m: M({}) }, 'SET m[0] = :v', { ':v': N(1) }],
  ['ADD of a string', {}, 'ADD a :v', { ':v': S('x') }],
  ['ADD of a set to a number', { a: N(1) }, 'ADD a :v', { ':v': { NS: ['1'] } }],
  ['ADD of a number set to a string set', { a: { SS: ['x'] } }, 'ADD a :v', { ':v': { NS: ['1'] } }],
  ['DELETE of a number', { a: N(1) }, 'DELETE a :v', { ':v': N(1) }],
  ['DELETE of another kind of set', { a: { SS: ['x'] } }, 'DELETE a :v', { ':v': { NS: ['1'] } }],
  ['the same attribute twice', {}, 'SET a = :v, a = :v', { ':v': N(1) }],
  ['a path and its parent', { m: M({}) }, 'SET m = :v, m.x = :v', { ':v': N(1) }],
  ['overlap between clauses', { a: N(1) }, 'SET a = :v REMOVE a', { ':v': N(1) }],
  ['a clause twice', {}, 'SET a = :v SET b = :v', { ':v': N(1) }],
  ['an unused value', {}, 'SET a = :v', { ':v': N(1), ':w': N(1) }],
  ['an undefined value', {}, 'SET a = :w', { ':v': N(1) }],
  ['an unused name', {}, 'SET a = :v', { ':v': N(1) }, { '#x': 'x' }],
  ['an undefined name', {}, 'SET #x = :v', { ':v': N(1) }],
  ['a reserved word', {}, 'SET name = :v', { ':v': N(1) }],
  ['an unknown function', {}, 'SET a = foo(:v)', { ':v': N(1) }],
  ['an unknown clause', {}, 'PUT a = :v', { ':v': N(1) }],
  ['an empty expression', {}, '', undefined],
  ['a third operand', { a: N(1) }, 'SET a = a + :v + :v', { ':v': N(1) }],
  ['a literal number', { a: N(1) }, 'SET a = 1', undefined],
  ['a result over the greatest number', { a: N('9.9999999999999999999999999999999999999E125') }, 'SET a = a + a', undefined],
];
for (const [what, before, expression, values, names] of fails) {
  test(`refuses ${what}`, () => refused(update(before, expression, values, names), 'ValidationException'));
}
