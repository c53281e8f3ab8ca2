// What growth did to Taula, as sections of a report and as bars.

import { barSection } from './bar_section.mjs';
import { bar } from './bars.mjs';
import { bytesOf } from './byte_size.mjs';
import { count, megabytes, percent, short } from './format.mjs';
import { machineSection } from './report.mjs';
import { ratio } from './statistics.mjs';

const SAME_WITHIN = 0.2;

export function growthBars({ steps, partitions, settings }) {
  const [smallest] = steps;
  const largest = steps.at(-1);
  const kept = smallest.measured.map(({ id, name, rate }) => {
    const lowest = Math.min(...steps.map((step) => step.measured.find((one) => one.id === id).rate));
    return bar(
      `${name}: lowest rate, of that with ${count(smallest.items)} items`,
      ratio(lowest, rate),
      1 - SAME_WITHIN,
    );
  });
  const [small, ...large] = partitions;
  const paged = large.map(({ name, rate }) =>
    bar(`page of ${name}, of ${small.name}`, ratio(rate, small.rate), 1 - SAME_WITHIN),
  );
  const grown = largest.residentBytes - largest.idleBytes;
  return [
    ...kept,
    ...paged,
    bar(`memory beyond idle with ${count(largest.items)} items`, grown / 1e6, bytesOf(settings.cacheSize) / 1e6, {
      atMost: true,
      unit: 'MB',
    }),
  ].filter(Boolean);
}

export function growthSections(results) {
  const { steps, partitions, settings, bars } = results;
  const kinds = steps[0].measured;
  return [
    machineSection(results),
    {
      title: `Requests a second, ${settings.connections[0]} connections`,
      head: ['items', ...kinds.map(({ name }) => name)],
      rows: steps.map(({ items, measured }) => [
        count(items),
        ...measured.map(({ rate, spread }) => `${count(rate)} ±${percent(spread)}`),
      ]),
    },
    {
      title: "Server's CPU time in µs a request",
      head: ['items', ...kinds.map(({ name }) => name)],
      rows: steps.map(({ items, measured }) => [
        count(items),
        ...measured.map(({ cpuMicroseconds }) => short(cpuMicroseconds)),
      ]),
    },
    {
      title: `Memory in MB, with a cache of ${settings.cacheSize}`,
      head: ['items', 'idle', 'after the reads', 'at most', 'load items/s'],
      rows: steps.map(({ items, idleBytes, residentBytes, peakBytes, loadRate }) => [
        count(items),
        ...[idleBytes, residentBytes, peakBytes].map(megabytes),
        count(loadRate),
      ]),
    },
    {
      title: 'A page of 20 items, by the size of its partition',
      head: ['', 'pages a second', 'CPU µs a page', 'p50 ms', 'p99 ms'],
      rows: partitions.map(({ name, rate, cpuMicroseconds, p50, p99 }) => [
        name,
        count(rate),
        short(cpuMicroseconds),
        short(p50 / 1000),
        short(p99 / 1000),
      ]),
    },
    barSection(bars, []),
  ];
}
