// The arithmetic of the report: medians of rounds, how far rounds lie apart, and ratios of medians.

export function median(numbers) {
  if (numbers.length === 0) return undefined;
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// The greatest distance of a round from the median, as a share of it.
export function spread(numbers) {
  const middle = median(numbers);
  return middle ? Math.max(...numbers.map((number) => Math.abs(number - middle))) / middle : undefined;
}

export const ratio = (a, b) => (a === undefined || b === undefined || b === 0 ? undefined : a / b);

// One cell of the report from its rounds.
export function summarize(rounds) {
  const middle = (field) => median(rounds.map((round) => round[field]).filter((value) => value !== undefined));
  return {
    rate: middle('rate'),
    spread: spread(rounds.map(({ rate }) => rate)),
    p50: middle('p50'),
    p99: middle('p99'),
    p999: middle('p999'),
    max: middle('max'),
    cpuMicroseconds: middle('cpuMicroseconds'),
    answerBytes: middle('answerBytes'),
  };
}
