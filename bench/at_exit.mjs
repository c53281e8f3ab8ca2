// What has to be done when the run ends, however it ends: last come, first done.

const duties = new Set();

// `duty` cannot wait for anything. Returns what takes it back.
export function atExit(duty) {
  duties.add(duty);
  return () => duties.delete(duty);
}

function attempt(duty) {
  try {
    duty();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
  }
}

process.on('exit', () => [...duties].reverse().forEach(attempt));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
