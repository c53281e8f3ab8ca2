// What the figures were measured on.

import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { found, output } from './contestants/commands.mjs';

function system() {
  const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'));
  return name?.[1] ?? 'Linux';
}

export function machineFacts() {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    system: system(),
    kernel: release(),
    loadGenerator: `wrk ${found(output('wrk', '-v'), /(\d+\.\d+\.\d+)/)}, one thread, on the same machine`,
    date: new Date().toISOString().slice(0, 10),
  };
}
