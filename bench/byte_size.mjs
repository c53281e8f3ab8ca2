// Sizes as taula serve takes them: 256M, 1G, 512 KB, or plain bytes.

const UNITS = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

// Undefined where it is no size.
export function bytesOf(text) {
  const [, number, unit] = /^(\d+) *([KMG]?)(?:I?B)?$/.exec(text.toUpperCase()) ?? [];
  return number && Number(number) * UNITS[unit];
}
