import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, ratio, spread, summarize } from './statistics.mjs';

test('the median of an odd number of rounds is the middle one, whatever their order', () => {
  assert.equal(median([9, 1, 5]), 5);
});

test('the median of an even number of rounds lies between the middle two', () => {
  assert.equal(median([1, 2, 4, 100]), 3);
});

test('there is no median of nothing', () => {
  assert.equal(median([]), undefined);
});

test('the spread is the farthest round as a share of the median', () => {
  assert.equal(spread([90, 100, 130]), 0.3);
  assert.equal(spread([100]), 0);
});

test('a ratio needs both', () => {
  assert.equal(ratio(3, 2), 1.5);
  assert.equal(ratio(undefined, 2), undefined);
  assert.equal(ratio(3, undefined), undefined);
  assert.equal(ratio(3, 0), undefined);
});

test('a cell holds the median of each figure, not of one round', () => {
  const rounds = [
    { rate: 100, p50: 5, p99: 9, p999: 10, max: 50, cpuMicroseconds: 3, answerBytes: 9 },
    { rate: 300, p50: 1, p99: 7, p999: 30, max: 10, cpuMicroseconds: 1, answerBytes: 9 },
    { rate: 200, p50: 2, p99: 8, p999: 20, max: 20, cpuMicroseconds: 2 },
  ];
  assert.deepEqual(summarize(rounds), {
    rate: 200,
    spread: 0.5,
    p50: 2,
    p99: 8,
    p999: 20,
    max: 20,
    cpuMicroseconds: 2,
    answerBytes: 9,
  });
});
