// Folders that servers write to.

import { mkdirSync, rmSync } from 'node:fs';

// A server that is just ending may still write to it: then it is tried again.
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
}

// Made anew: nothing that an earlier run left is in it.
export function emptyFolder(folder) {
  removeFolder(folder);
  mkdirSync(folder, { recursive: true });
}
