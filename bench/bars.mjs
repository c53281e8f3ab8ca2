// What Taula must reach, and whether a run shows it. A bar is { what, measured, needed, unit, atMost, met }.

import { ratio } from './statistics.mjs';

// What the bars are measured at.
export const BAR_CONNECTIONS = 32;
// Two rates are the same where they differ by less than rounds do.
const NOISE = 0.03;
const IDLE_BYTES_MAX = 30e6;

export function bar(what, measured, needed, { atMost = false, unit = '×' } = {}) {
  if (!Number.isFinite(measured)) return undefined; // it was not measured
  return { what, measured, needed, unit, atMost, met: atMost ? measured <= needed : measured >= needed };
}

// Everyone else who speaks DynamoDB, whatever they do about durability.
const isPeer = ({ kind, id }) => kind === 'database' && !id.startsWith('taula');

// The operations at which Taula is held against the fastest peer.
const OF_FASTEST_PEER = ['get', 'query', 'update', 'put'];

// Which peers the fastest was not looked for among, in words.
export function missingPeers({ contestants, leftOut, operations, cells }) {
  const failedAt = ({ id }) =>
    cells
      .filter((cell) => cell.contestant === id && cell.failed && cell.connections === BAR_CONNECTIONS)
      .filter(({ operation }) => OF_FASTEST_PEER.includes(operation))
      .map((cell) => operations.find((operation) => operation.id === cell.operation).name);
  return [
    ...leftOut.filter(isPeer).map(({ name }) => `${name} (left out)`),
    ...contestants
      .filter(isPeer)
      .filter((peer) => failedAt(peer).length > 0)
      .map((peer) => `${peer.name} (failed: ${failedAt(peer).join('; ')})`),
  ];
}

export function comparisonBars({ cells, contestants, embedded = [] }) {
  const cell = (operation, contestant, connections = BAR_CONNECTIONS) =>
    cells.find(
      (one) => one.operation === operation && one.contestant === contestant && one.connections === connections,
    );
  const rate = (operation, contestant, connections) => cell(operation, contestant, connections)?.rate;
  const cpu = (operation, contestant) => cell(operation, contestant)?.cpuMicroseconds;
  const taula = (operation, connections) => rate(operation, 'taula', connections);

  const peers = contestants.filter(isPeer);
  const fastestPeer = (operation) => {
    const rates = peers.map(({ id }) => rate(operation, id)).filter((value) => value !== undefined);
    return rates.length ? Math.max(...rates) : undefined;
  };
  const ofPeer = (operation) => ratio(taula(operation), fastestPeer(operation));
  const ofGet = (operation) => ratio(taula(operation), taula('get'));
  const scaling = (operation) => ratio(taula(operation, 256), taula(operation, 32));

  return [
    bar('GetItem, of nginx sending the same bytes', ratio(taula('get'), rate('get', 'nginx')), 0.8),
    bar("GetItem, CPU time a request, of nginx's", ratio(cpu('get', 'taula'), cpu('get', 'nginx')), 1.5, {
      atMost: true,
    }),
    bar('GetItem, of DynamoDB Local', ratio(taula('get'), rate('get', 'dynamodb-local')), 15),
    bar('GetItem, of the fastest peer', ofPeer('get'), 5),
    bar('Query of 20, of nginx sending the same bytes', ratio(taula('query'), rate('query', 'nginx')), 0.6),
    bar('Query of 20, of the fastest peer', ofPeer('query'), 10),
    bar("UpdateItem, synced, of Taula's own GetItem", ofGet('update'), 0.5),
    bar('UpdateItem, synced, of the fastest peer', ofPeer('update'), 5),
    bar("PutItem with a GSI, synced, of Taula's own GetItem", ofGet('put'), 0.5),
    bar('PutItem with a GSI, synced, of the fastest peer', ofPeer('put'), 5),
    bar("TransactWriteItems of 5, synced, of Taula's own GetItem", ofGet('transact-write'), 0.2),
    ...embedded
      .filter(({ ratio_min }) => ratio_min > 0)
      .map(({ name, ratio: share, ratio_min }) =>
        bar(`embedded ${name}, warm, of raw RocksDB with the same bytes`, share, ratio_min),
      ),
    bar('GetItem, 256 connections, of 32 (less noise)', scaling('get'), 1 - NOISE),
    bar('Query of 20, 256 connections, of 32 (less noise)', scaling('query'), 1 - NOISE),
    bar('memory when idle', contestants.find(({ id }) => id === 'taula')?.idleBytes / 1e6, IDLE_BYTES_MAX / 1e6, {
      atMost: true,
      unit: 'MB',
    }),
  ].filter(Boolean);
}
