// An emulator in JavaScript, in a Node process of its own.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODULES } from '../paths.mjs';
import { missingFile } from './commands.mjs';

const HOME = join(MODULES, 'dynalite');

export const dynalite = {
  id: 'dynalite',
  name: 'dynalite',
  kind: 'database',
  note: 'in memory',
  missing: () => missingFile(HOME, 'npm did not install dynalite'),
  version: () =>
    `${JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8')).version}, Node ${process.versions.node}`,
  command: ({ ports: [port] }) => ({
    file: process.execPath,
    args: [
      join(HOME, 'cli.js'),
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      // It makes its clients wait for new tables, as Amazon does; that is not what is measured.
      '--createTableMs',
      '0',
      '--deleteTableMs',
      '0',
    ],
  }),
};
