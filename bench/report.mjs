// What a comparison found, as sections of a report.

import { barSection } from './bar_section.mjs';
import { missingPeers } from './bars.mjs';
import { NONE, count, megabytes, milliseconds, percent, short, times } from './format.mjs';
import { ratio } from './statistics.mjs';

export function comparisonSections(results) {
  const { operations, contestants, cells, settings } = results;
  const find = (operation, contestant, connections) =>
    cells.find(
      (one) => one.operation === operation.id && one.contestant === contestant.id && one.connections === connections,
    );

  // Operations down, contestants across; `figure` writes a measured cell.
  const grid = (title, connections, figure, notes, across = contestants) => ({
    title: `${title}, ${connections} connection${connections === 1 ? '' : 's'}`,
    head: ['', ...across.map(({ name }) => name)],
    rows: operations.map((operation) => [
      operation.name,
      ...across.map((contestant) => {
        const cell = find(operation, contestant, connections);
        if (cell?.failed) return 'failed';
        return cell?.rate === undefined ? NONE : figure(cell, operation);
      }),
    ]),
    notes,
  });
  const each = (section) => settings.connections.map(section);

  const rates = each((connections) =>
    grid('Requests a second', connections, ({ rate, spread }) => `${count(rate)} ±${percent(spread)}`, [
      'Median of the rounds, and how far the farthest round lies from it.',
      `${NONE}: does not know the operation, or is no limit of it.`,
    ]),
  );
  const taula = contestants.find(({ id }) => id === 'taula');
  const others = contestants.filter((one) => one !== taula);
  const ratios = taula
    ? each((connections) =>
        grid(
          'Taula is so many times as fast as',
          connections,
          ({ rate }, operation) => times(ratio(find(operation, taula, connections)?.rate, rate)),
          ['Taula synced to disk before each answer; below 1 the other is faster.'],
          others,
        ),
      )
    : [];
  const latency = each((connections) =>
    grid(
      'Latency p50 / p99 / p99.9 / median maximum in ms',
      connections,
      ({ p50, p99, p999, max }) => [p50, p99, p999, max].map(milliseconds).join(' / '),
      ["Medians of the rounds; the last one is that of the rounds' longest waits, not the longest of all."],
    ),
  );
  const cpu = each((connections) =>
    grid("Server's CPU time in µs a request", connections, ({ cpuMicroseconds }) => short(cpuMicroseconds)),
  );

  const sizes = each((connections) =>
    grid('Bytes of an answer, head and body', connections, ({ answerBytes }) => count(answerBytes)),
  );

  return [
    machineSection(results),
    ...rates,
    ...ratios,
    ...latency,
    ...cpu,
    sizes[0],
    resourceSection(contestants),
    ...embeddedSections(results),
    ...troubleSections(results),
    barSection(results.bars, [
      ...missingPeerNotes(results),
      'Growth is measured by bench/run --growth, the instructions of a request by tests/instructions/counts.py.',
    ]),
  ];
}

const warmUp = ({ quick }) =>
  quick ? 'one of 1 s to warm up, which is too short for the Java of DynamoDB Local' : 'one to warm up';

export function machineSection({ machine, settings, contestants = [], leftOut = [] }) {
  const facts = [
    ['processor', `${machine.processor}, ${machine.cores} cores`],
    ['memory', `${machine.memoryGb} GB`],
    ...(machine.disk ? [["disk of the servers' data", machine.disk]] : []),
    ['system', `${machine.system}, kernel ${machine.kernel}`],
    ['load', machine.loadGenerator],
    ['rounds', `${settings.rounds} of ${settings.seconds} s, alternating, after ${warmUp(settings)}`],
    ['data', `${[settings.items].flat().map(count).join(', ')} items of 450 bytes of JSON, a table with one index`],
    ['date', machine.date],
    ...contestants.map(({ name, version, note }) => [name, `${version}; ${note}`]),
    ...leftOut.map(({ name, reason }) => [name, `LEFT OUT: ${reason}`]),
  ];
  return { title: 'Machine and contestants', notes: facts.map(([name, value]) => `- ${name}: ${value}`) };
}

function missingPeerNotes(results) {
  const missing = missingPeers(results);
  return missing.length ? [`"The fastest peer" is without ${missing.join(', ')}.`] : [];
}

function resourceSection(contestants) {
  return {
    title: 'Start, memory, bulk load through the SDK',
    head: ['', 'start ms', 'idle MB', 'loaded MB', 'at the end MB', 'load items/s'],
    rows: contestants.map(({ name, startupMs, idleBytes, loadedBytes, endBytes, loadRate }) => [
      name,
      short(startupMs),
      megabytes(idleBytes),
      megabytes(loadedBytes),
      megabytes(endBytes),
      count(loadRate),
    ]),
    notes: [
      'Start is from the command to the first answered request; memory is resident. In the bulk load the SDK, which is',
      'JavaScript on the same machine, is the limit for the fast ones: BatchWriteItem above is the same work by wrk.',
      'At the end, a faster contestant holds more: it was given more orders and more bulk items in the same time.',
    ],
  };
}

function embeddedSections({ embedded }) {
  if (!embedded) return [];
  return [
    {
      title: 'The embedded API beside raw RocksDB',
      head: ['', 'embedded µs', 'RocksDB µs', 'ratio'],
      rows: embedded.map(({ name, embedded_ns, raw_ns, ratio: share }) => [
        name,
        short(embedded_ns / 1000),
        short(raw_ns / 1000),
        times(share),
      ]),
    },
  ];
}

function troubleSections({ cells, operations, contestants }) {
  const failures = cells.filter(({ failed }) => failed);
  if (failures.length === 0) return [];
  const name = (list, id) => list.find((one) => one.id === id).name;
  return [
    {
      title: 'Failed',
      notes: failures.map(
        ({ operation, contestant, connections, failed }) =>
          `- ${name(contestants, contestant)}, ${name(operations, operation)}, ${connections} connections: ${failed}`,
      ),
    },
  ];
}
