import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonBars } from './bars.mjs';
import { comparisonSections } from './report.mjs';
import { asText } from './tables.mjs';

const results = {
  machine: { processor: 'CPU', cores: 2, memoryGb: 4, system: 'Debian', kernel: '6', date: '2026-01-01' },
  settings: { quick: false, connections: [32], rounds: 5, seconds: 2, items: 1000 },
  operations: [{ id: 'get', name: 'GetItem' }],
  contestants: [
    { id: 'taula', kind: 'database', name: 'Taula', version: '1', note: 'durable' },
    { id: 'quick', kind: 'database', name: 'quick', version: '1', note: 'in memory' },
  ],
  leftOut: [{ id: 'absent', kind: 'database', name: 'absent', reason: 'why' }],
  cells: [
    { operation: 'get', contestant: 'taula', connections: 32, rate: 50, spread: 0.1 },
    { operation: 'get', contestant: 'quick', connections: 32, rate: 10, spread: 0.1 },
  ],
};
const textOf = (more) => asText(comparisonSections({ ...results, ...more, bars: comparisonBars(results) }));

test('the bars say which peers are missing', () => {
  assert.match(textOf(), /"The fastest peer" is without absent \(left out\)\./);
  assert.doesNotMatch(textOf({ leftOut: [] }), /is without/);
});

test('the disk is named where it is known', () => {
  assert.match(textOf({ machine: { ...results.machine, disk: 'ext4 on /dev/vda' } }), /ext4 on \/dev\/vda/);
  assert.doesNotMatch(textOf(), /disk of/);
});

test('a quick run says for whom its warm-up is too short', () => {
  assert.match(textOf({ settings: { ...results.settings, quick: true } }), /too short for the Java/);
  assert.doesNotMatch(textOf(), /too short/);
});
