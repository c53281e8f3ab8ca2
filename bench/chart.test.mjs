import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonChart, logScale } from './chart.mjs';

const results = {
  machine: { processor: 'Some <fast> CPU', cores: 2, date: '2026-01-01' },
  settings: { connections: [1, 32] },
  operations: [
    { id: 'get', name: 'GetItem' },
    { id: 'scan', name: 'Scan, pages of 100' },
  ],
  contestants: [
    { id: 'taula', name: 'Taula' },
    { id: 'dynalite', name: 'dynalite' },
  ],
  cells: [
    { operation: 'get', contestant: 'taula', connections: 1, rate: 5 },
    { operation: 'get', contestant: 'taula', connections: 32, rate: 40000 },
    { operation: 'get', contestant: 'dynalite', connections: 32, rate: 4000 },
    { operation: 'scan', contestant: 'taula', connections: 32, rate: 300 },
    { operation: 'scan', contestant: 'dynalite', connections: 32, failed: 'why' },
  ],
};

test('a logarithmic scale gives each power of ten the same room', () => {
  const { position, ticks } = logScale([150, 10_000], 200);
  assert.deepEqual(ticks, [100, 1000, 10_000]);
  assert.ok(Math.abs(position(100)) < 1e-9);
  assert.ok(Math.abs(position(1000) - 100) < 1e-9);
  assert.ok(Math.abs(position(10_000) - 200) < 1e-9);
});

test('the chart has a bar for each rate at 32 connections', () => {
  const svg = comparisonChart(results);
  assert.equal(svg.match(/<rect class="(taula|dynalite)" [^>]*>\s*<title>/g).length, 3);
  assert.match(svg, /40 000/);
  assert.match(svg, /Taula 10\.0×/);
  assert.doesNotMatch(svg, /NaN|undefined/);
});

test('text of the machine cannot break the SVG', () => {
  assert.match(comparisonChart(results), /Some &lt;fast> CPU/);
});

test('it has colours for light and dark, and its own background', () => {
  const svg = comparisonChart(results);
  assert.match(svg, /prefers-color-scheme: dark/);
  assert.match(svg, /<rect class="page"/);
});

test('nothing measured, nothing drawn', () => {
  assert.equal(comparisonChart({ ...results, cells: [] }), '');
});
