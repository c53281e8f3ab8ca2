import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BENCH } from './paths.mjs';

const folder = mkdtempSync(join(tmpdir(), 'taula-bench-'));
const file = join(folder, 'lock');
test.after(() => rmSync(folder, { recursive: true }));

// A run of its own, since a lock is held until its process ends.
function lockElsewhere(after = '') {
  const script = `const { lockFolder } = await import('./lock.mjs'); lockFolder(${JSON.stringify(folder)}); ${after}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: BENCH, encoding: 'utf8' });
}

test('a folder that a run has is refused to another', () => {
  writeFileSync(file, String(process.pid));
  const { status, stderr } = lockElsewhere();
  assert.notEqual(status, 0);
  assert.match(stderr, new RegExp(`another run, process ${process.pid}, `));
  assert.ok(existsSync(file));
});

test('the lock of a run that was killed is taken over', () => {
  writeFileSync(file, String(spawnSync('true').pid));
  assert.equal(lockElsewhere().status, 0);
});

test('a run gives its folder back, however it ends', () => {
  for (const after of ['', 'process.kill(process.pid, "SIGHUP"); setTimeout(() => {}, 5000);', 'throw new Error();']) {
    lockElsewhere(after);
    assert.ok(!existsSync(file), after);
  }
});
