// What the database must hold after a crash, as far as its clients can know.
//
// A write that was acknowledged must be there. A write that was under way when
// the server died may or may not be; whichever, it must be whole: a transaction
// has left all of its keys in their new state, or all in their old one.

import assert from 'node:assert/strict';

export class Model {
  #known = new Map();
  #underWay = new Set();

  // Runs a write that leads to `after`: key → state, where undefined is deleted.
  // `send` says whether it was acknowledged. Writers own their keys, so at most
  // one write of a key is under way.
  async write(after, send) {
    this.#underWay.add(after);
    let done;
    try {
      done = await send();
    } catch (error) {
      this.#underWay.delete(after);  // refused, and so without effect
      throw error;
    }
    if (!done) return false;
    this.#underWay.delete(after);
    for (const [key, state] of after) this.#learn(key, state);
    return true;
  }

  // What was last acknowledged of a key, or read after a restart.
  state(key) {
    return this.#known.get(key);
  }

  // Compares with what was read after the restart, key → state, and takes that
  // as the new truth.
  settle(found) {
    for (const after of this.#underWay) {
      const done = [...after].every(([key, state]) => found.get(key) === state);
      if (!done) continue;
      for (const [key, state] of after) this.#learn(key, state);
    }
    this.#underWay.clear();
    for (const key of new Set([...this.#known.keys(), ...found.keys()])) {
      assert.equal(found.get(key), this.#known.get(key), `${key} is not what was acknowledged`);
    }
  }

  #learn(key, state) {
    if (state === undefined) this.#known.delete(key);
    else this.#known.set(key, state);
  }
}
