import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { cpuTicks, parseKilobytes, parseStat, processTree, residentBytes } from './process_stats.mjs';
import { quiet, spentTicks } from './quiet.mjs';

const endedPid = () => spawnSync('true').pid;

test("a process's name may hold spaces and parentheses", () => {
  const fields = Array.from({ length: 40 }, (_, i) => i + 3);
  assert.deepEqual(parseStat(`12 (a b) c) ${fields.join(' ')}`), { userTicks: 14, systemTicks: 15 });
});

test('memory that the kernel does not say is not 0', () => {
  assert.equal(parseKilobytes('Name:\ta\nVmRSS:\t    12 kB\n', 'VmRSS'), 12);
  assert.equal(parseKilobytes('Name:\ta\n', 'VmRSS'), undefined);
});

test('children count too', async () => {
  const child = spawn('sleep', ['30']);
  await once(child, 'spawn');
  const [tree, bytes] = [processTree(process.pid), residentBytes(process.pid)];
  child.kill();
  await once(child, 'exit');
  assert.ok(tree.includes(child.pid));
  assert.ok(bytes > 1e6);
});

test('of a process that has ended nothing is known', () => {
  const pid = endedPid();
  assert.equal(cpuTicks(pid), undefined);
  assert.equal(residentBytes(pid), undefined);
});

test('a server that ends is not waited for, and hides nobody who works', async () => {
  assert.deepEqual(spentTicks([50, 7, undefined], [undefined, 9, undefined]), [0, 2, 0]);
  await quiet([{ server: { pid: endedPid() }, contestant: { name: 'gone' } }]);
});
