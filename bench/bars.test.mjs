import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bar, comparisonBars, missingPeers } from './bars.mjs';
import { bytesOf } from './byte_size.mjs';
import { growthBars } from './growth_report.mjs';

const contestants = [
  { id: 'taula', kind: 'database', idleBytes: 31e6 },
  { id: 'taula-memory', kind: 'database' },
  { id: 'slow', kind: 'database' },
  { id: 'quick', kind: 'database' },
  { id: 'nginx', kind: 'limit' },
];
const cell = (operation, contestant, rate, more = {}) => ({ operation, contestant, connections: 32, rate, ...more });
const named = (bars, part) => bars.find(({ what }) => what.includes(part));

test('a bar is met from its value on, or up to it', () => {
  assert.equal(bar('rate', 0.8, 0.8).met, true);
  assert.equal(bar('rate', 0.79, 0.8).met, false);
  assert.equal(bar('cost', 1.5, 1.5, { atMost: true }).met, true);
  assert.equal(bar('cost', 1.6, 1.5, { atMost: true }).met, false);
});

test('what was not measured is not judged', () => {
  const bars = comparisonBars({ contestants, cells: [cell('get', 'taula', 100)] });
  assert.deepEqual(
    bars.map(({ what }) => what),
    ['memory when idle'],
  );
  assert.equal(bars[0].met, false);
});

test('where Taula takes no part, nothing is judged', () => {
  const others = contestants.filter(({ id }) => id !== 'taula');
  assert.deepEqual(comparisonBars({ contestants: others, cells: [cell('get', 'quick', 10)] }), []);
});

test('memory that is not known meets no bar', () => {
  const unknown = contestants.map((one) => ({ ...one, idleBytes: undefined }));
  assert.equal(named(comparisonBars({ contestants: unknown, cells: [] }), 'memory'), undefined);
});

test('the fastest peer is neither Taula nor a limit', () => {
  const cells = [
    cell('get', 'taula', 100),
    cell('get', 'taula-memory', 120),
    cell('get', 'slow', 5),
    cell('get', 'quick', 10),
    cell('get', 'nginx', 110),
  ];
  const bars = comparisonBars({ contestants, cells });
  assert.equal(named(bars, 'GetItem, of the fastest peer').measured, 10);
  assert.equal(named(bars, 'GetItem, of nginx').met, true);
});

test('a peer whose rounds failed is not the fastest', () => {
  const cells = [cell('get', 'taula', 100), cell('get', 'slow', 5), { ...cell('get', 'quick'), failed: 'why' }];
  assert.equal(named(comparisonBars({ contestants, cells }), 'of the fastest peer').measured, 20);
});

test('peers that were left out or failed are named', () => {
  const cells = [
    { ...cell('get', 'quick'), failed: 'why' },
    { ...cell('scan', 'slow'), failed: 'no bar is about it' },
    { ...cell('get', 'slow'), failed: 'not at 32', connections: 256 },
    { ...cell('get', 'nginx'), failed: 'no peer' },
  ];
  const operations = [
    { id: 'get', name: 'GetItem' },
    { id: 'scan', name: 'Scan' },
  ];
  const leftOut = [
    { id: 'absent', kind: 'database', name: 'absent' },
    { id: 'redis', kind: 'limit', name: 'Redis' },
  ];
  const named = contestants.map((one) => ({ ...one, name: one.id }));
  assert.deepEqual(missingPeers({ contestants: named, leftOut, operations, cells }), [
    'absent (left out)',
    'quick (failed: GetItem)',
  ]);
});

test('only 32 connections count, but where 256 are compared with them', () => {
  const cells = [cell('get', 'taula', 100), { ...cell('get', 'taula', 90), connections: 256 }];
  const bars = comparisonBars({ contestants, cells });
  assert.equal(named(bars, '256 connections').measured, 0.9);
  assert.equal(named(bars, '256 connections').met, false);
});

test('growth is judged by the lowest rate of all sizes', () => {
  const step = (items, rate, residentBytes) => ({
    items,
    idleBytes: 20e6,
    residentBytes,
    measured: [{ id: 'get', name: 'GetItem', rate }],
  });
  const results = {
    settings: { cacheSize: '128M' },
    steps: [step(10, 100, 30e6), step(1000, 70, 90e6), step(5000, 110, 180e6)],
    partitions: [
      { name: 'small', rate: 10 },
      { name: 'large', rate: 9 },
    ],
  };
  const bars = growthBars(results);
  assert.equal(named(bars, 'GetItem').measured, 0.7);
  assert.equal(named(bars, 'GetItem').met, false);
  assert.equal(named(bars, 'page of large').met, true);
  assert.equal(named(bars, 'memory beyond idle').met, false);
});

test('sizes have the units that Taula takes', () => {
  assert.equal(bytesOf('128M'), 128 * 1024 * 1024);
  assert.equal(bytesOf('4g'), 4 * 1024 ** 3);
  assert.equal(bytesOf('512 KB'), 512 * 1024);
  assert.equal(bytesOf('2GiB'), 2 * 1024 ** 3);
  assert.equal(bytesOf('1000'), 1000);
  for (const text of ['', 'M', '-1', '1.5G', '256X', '256 M B']) assert.equal(bytesOf(text), undefined, text);
});
