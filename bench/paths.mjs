// Where things are: the repository, what was built and what a run leaves.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BENCH = dirname(fileURLToPath(import.meta.url));
export const ROOT = dirname(BENCH);
export const OUTPUT = join(ROOT, 'build/bench');
export const PEERS = join(OUTPUT, 'peers');
export const MODULES = join(BENCH, 'node_modules');
export const TAULA = process.env.TAULA_BINARY ?? join(ROOT, 'build/release/bin/taula');
export const EMBEDDED_RATIO = join(ROOT, 'build/release/bin/taula_embedded_ratio');
