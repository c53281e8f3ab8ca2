// An emulator in Rust on SQLite; bench/run builds it with cargo, by its crate's own release profile.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PEERS } from '../paths.mjs';
import { found, missingCommand, output } from './commands.mjs';

const BINARY = join(PEERS, 'bin/dynoxide');

export const dynoxide = {
  id: 'dynoxide',
  name: 'dynoxide',
  kind: 'database',
  note: 'in memory',
  missing: () =>
    existsSync(BINARY)
      ? undefined
      : (missingCommand('cargo') ??
        'cargo could not build it: build/bench/peers/dynoxide.log says why; remove build/bench/peers to try again'),
  version: () => {
    const crate = readFileSync(join(PEERS, '.crates.toml'), 'utf8');
    const product = found(output(BINARY, '--version'), /(\d+\.\d+\.\d+)/);
    return `${product} of the crate dynoxide-rs ${found(crate, /dynoxide-rs ([\d.]+)/)}`;
  },
  command: ({ ports: [port] }) => ({ file: BINARY, args: ['serve', '--port', String(port), '--log', 'quiet'] }),
};
