// The model must accept what a crash may leave, and nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Model } from './model.mjs';

const answered = async () => true;
const silent = async () => false;
const states = (object) => new Map(Object.entries(object));

async function after(...writes) {
  const model = new Model();
  for (const [object, send] of writes) await model.write(states(object), send);
  return model;
}

test('accepts acknowledged writes', async () => {
  (await after([{ a: 1 }, answered], [{ b: 1 }, answered], [{ b: undefined }, answered])).settle(states({ a: 1 }));
});

const losses = [
  ['a lost write', [[{ a: 1 }, answered]], {}],
  ['an older state', [[{ a: 1 }, answered], [{ a: 2 }, answered]], { a: 1 }],
  ['a delete that came back', [[{ a: 1 }, answered], [{ a: undefined }, answered]], { a: 1 }],
  ['an item that nobody wrote', [], { a: 1 }],
  ['half of a transaction', [[{ a: 1, b: 1 }, answered], [{ a: 2, b: 2 }, silent]], { a: 2, b: 1 }],
];
for (const [what, writes, found] of losses) {
  test(`refuses ${what}`, async () => {
    const model = await after(...writes);
    assert.throws(() => model.settle(states(found)));
  });
}

test('accepts both outcomes of a write without an answer, then holds to it', async () => {
  for (const found of [1, 2]) {
    const model = await after([{ a: 1 }, answered], [{ a: 2 }, silent]);
    model.settle(states({ a: found }));
    assert.throws(() => model.settle(states({ a: 3 - found })));
  }
});

test('refuses the effect of a write that was refused', async () => {
  const refused = async () => {
    throw new Error('refused');
  };
  const model = await after([{ a: 1 }, answered]);
  await assert.rejects(model.write(states({ a: 2 }), refused), /refused/);
  assert.equal(model.state('a'), 1);
  assert.throws(() => model.settle(states({ a: 2 })));
});
