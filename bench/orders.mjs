// The lines of orders. Every order makes one, and takes away that of the order PREVIOUS_DISTANCE before it; those that
// the first orders take away are loaded with the data.

import { digits } from './dataset.mjs';
import { FIRST_SEQUENCE, PREVIOUS_DISTANCE } from './request_text.mjs';

export const orderKey = (number) => ({ S: `ORDER#${number}` });
export const orderLineKey = (number) => ({ PK: orderKey(number), SK: { S: 'ITEM#1' } });

export const orderLine = (number) => ({
  ...orderLineKey(number),
  product: { S: 'Ground coffee, 500 g' },
  quantity: { N: '1' },
  price: { N: '35.5' },
});

export const linesOfEarlierOrders = () =>
  Array.from({ length: PREVIOUS_DISTANCE }, (_, i) => orderLine(digits(FIRST_SEQUENCE - i)));
