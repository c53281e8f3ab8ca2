// How figures are written for people.

export const NONE = '–';

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ' ');

export const count = (number) => (number === undefined ? NONE : grouped(Math.round(number)));

// Three digits that count, whatever the size.
export function short(number) {
  if (number === undefined) return NONE;
  if (number >= 99.95) return grouped(Math.round(number));
  return number >= 9.995 ? number.toFixed(1) : number.toFixed(2);
}

export const times = (number) => (number === undefined ? NONE : `${short(number)}×`);
export const percent = (share) => (share === undefined ? NONE : `${Math.round(share * 100)} %`);
export const megabytes = (bytes) => (bytes === undefined ? NONE : short(bytes / 1e6));
export const milliseconds = (microseconds) => (microseconds === undefined ? NONE : short(microseconds / 1000));
