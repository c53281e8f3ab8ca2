// What the figures were measured on.

import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { found, output } from './contestants/commands.mjs';

function system() {
  const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'));
  return name?.[1] ?? 'Linux';
}

// What a synced write waits for. Undefined where there is no findmnt to ask.
function disk(folder) {
  const said = output('findmnt', '-no', 'FSTYPE,SOURCE', '-T', folder) ?? '';
  const [, type, device] = /^([\w.-]+) +(\S+)\n$/.exec(said) ?? [];
  return type && `${type} on ${device}`;
}

// `folder` is where the servers keep their data.
export function machineFacts(folder) {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    disk: disk(folder),
    system: system(),
    kernel: release(),
    loadGenerator: `wrk ${found(output('wrk', '-v'), /(\d+\.\d+\.\d+)/)}, one thread, on the same machine`,
    date: new Date().toISOString().slice(0, 10),
  };
}
