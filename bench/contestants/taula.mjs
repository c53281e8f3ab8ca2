// Taula twice: as it comes, synced to disk before each answer, and with everything in memory.

import { join } from 'node:path';
import { TAULA } from '../paths.mjs';
import { found, missingFile, output } from './commands.mjs';

const taula = {
  kind: 'database',
  missing: () => missingFile(TAULA, `${TAULA} is not built`),
  version: () => found(output(TAULA, '--version'), /(\d+\.\d+\.\d+)/),
};

const serve = (port, ...options) => ({
  file: TAULA,
  args: ['serve', '--listen', '127.0.0.1', '--port', String(port), '--log-level', 'warning', ...options],
});

export const durable = {
  ...taula,
  id: 'taula',
  name: 'Taula',
  note: 'durable: synced to disk before each answer',
  command: ({ ports: [port], folder, options = [] }) =>
    serve(port, '--data', join(folder, 'data'), '--durability', 'sync', ...options),
};

export const memory = {
  ...taula,
  id: 'taula-memory',
  name: 'Taula --memory',
  note: 'in memory',
  command: ({ ports: [port] }) => serve(port, '--memory'),
};
