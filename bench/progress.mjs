// What a run is doing, on stderr, so that stdout holds the report alone.

const begun = performance.now();

export function progress(text) {
  const seconds = Math.round((performance.now() - begun) / 1000);
  const clock = `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  process.stderr.write(`${clock}  ${text}\n`);
}
