// The items that every contestant holds: events of batches, products with a stock,
// and notes whose index key changes; each 450 bytes of JSON, the same on every run.

export const INDEX = 'GSI1';
export const TABLES = { main: 'bench', orders: 'bench-orders', bulk: 'bench-bulk' };
export const EVENTS_PER_BATCH = 100;
export const ITEM_JSON_BYTES = 450;
// No benchmark comes near taking this many units, so the condition on the stock always holds.
export const STOCK = 1_000_000_000_000;
// Products in the table of orders.
export const ORDERED_PRODUCTS = 4000;

const WORDS = (
  'kefir grain milk water sour bottle second ferment sugar lemon ginger batch warm cool shelf morning evening taste ' +
  'strain filter note remind stage thick thin bubble gas seal open jar cloth clean fresh whey curd calm slow quick'
).split(' ');

// Numbers in keys have ten digits, so that a text made of them has the same length whatever the number.
export const digits = (number) => String(number).padStart(10, '0');

// Park and Miller's generator: the same choice of keys on every run and machine.
export function randomSequence(seed) {
  let state = (seed % 2147483646) + 1;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

// Words rather than one repeated letter, so that a store that compresses has something to do.
function fill(item, seed) {
  const random = randomSequence(seed);
  const missing = ITEM_JSON_BYTES - JSON.stringify({ ...item, notes: { S: '' } }).length;
  let notes = '';
  while (notes.length < missing) notes += `${WORDS[random(WORDS.length)]} `;
  return { ...item, notes: { S: notes.slice(0, missing - 1).padEnd(missing, '.') } };
}

const timestamp = (n) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();

export const eventKey = (n) => ({
  PK: { S: `BATCH#${digits(Math.floor(n / EVENTS_PER_BATCH))}` },
  SK: { S: `EVENT#${digits(n % EVENTS_PER_BATCH)}` },
});

export function event(n, key = eventKey(n)) {
  const item = {
    ...key,
    GSI1PK: { S: `EVENT#${digits(n)}` },
    GSI1SK: { S: 'METADATA' },
    entityType: { S: 'EVENT' },
    status: { S: n % 3 ? 'active' : 'done' },
    createdAt: { S: timestamp(n) },
    temperature: { N: `${18 + (n % 90) / 10}` },
    visible: { BOOL: true },
  };
  return fill(item, n);
}

export const productKey = (n) => ({ PK: { S: `PRODUCT#${digits(n)}` }, SK: { S: 'METADATA' } });

export function product(n) {
  const item = {
    ...productKey(n),
    GSI1PK: { S: `CATEGORY#${digits(n % 50)}` },
    GSI1SK: { S: `PRODUCT#${digits(n)}` },
    entityType: { S: 'PRODUCT' },
    stock: { N: String(STOCK) },
    price: { N: `${5 + (n % 400) / 4}` },
    active: { BOOL: true },
  };
  return fill(item, n);
}

export const noteKey = (n) => ({ PK: { S: `NOTE#${digits(n)}` }, SK: { S: 'METADATA' } });

// `owner` is in the index's key: a put with another owner moves the index entry.
export function note(n, owner) {
  const item = {
    ...noteKey(n),
    GSI1PK: { S: `OWNER#${digits(owner)}` },
    GSI1SK: { S: `NOTE#${digits(n)}` },
    entityType: { S: 'NOTE' },
    createdAt: { S: timestamp(n) },
  };
  return fill(item, n + owner);
}

// How `items` items are made up: a tenth products and a tenth notes, a thousand of each at most.
export function counts(items) {
  const products = Math.max(1, Math.min(1000, Math.floor(items / 10)));
  const events = Math.floor((items - 2 * products) / EVENTS_PER_BATCH) * EVENTS_PER_BATCH;
  return { events, products, notes: items - products - events, batches: events / EVENTS_PER_BATCH };
}

export function* everyItem({ events, products, notes }) {
  for (let n = 0; n < events; n++) yield event(n);
  for (let n = 0; n < products; n++) yield product(n);
  for (let n = 0; n < notes; n++) yield note(n, 0);
}
