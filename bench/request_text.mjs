// The exact bytes of a request, which wrk sends and which the checks before a round send too.

import { digits } from './dataset.mjs';

export const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
export const REGION = 'us-east-1';

// Where a number is put in when the request is sent; ten characters, as many as its digits.
export const SEQUENCE = '@sequence@';
export const PREVIOUS = '@previous@';
// How many requests ago PREVIOUS was the sequence's number: more than are ever under way at once.
export const PREVIOUS_DISTANCE = 4096;
// The number that a contestant's first numbered request follows.
export const FIRST_SEQUENCE = 1_000_000;

// A request as an SDK sends it. No contestant verifies signatures, so one that was never computed serves all;
// the date is fixed so that every contestant parses the same bytes.
export function requestText(operation, body) {
  const bytes = Buffer.byteLength(body);
  return (
    'POST / HTTP/1.1\r\n' +
    'Host: 127.0.0.1\r\n' +
    'User-Agent: taula-bench\r\n' +
    'Content-Type: application/x-amz-json-1.0\r\n' +
    `X-Amz-Target: DynamoDB_20120810.${operation}\r\n` +
    'X-Amz-Date: 20260101T000000Z\r\n' +
    `Authorization: AWS4-HMAC-SHA256 Credential=${CREDENTIALS.accessKeyId}/20260101/${REGION}/dynamodb/aws4_request, ` +
    `SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=${'0123456789abcdef'.repeat(4)}\r\n` +
    `Content-Length: ${bytes}\r\n\r\n${body}`
  );
}

export function withSequence(text, number) {
  return text.replaceAll(SEQUENCE, digits(number)).replaceAll(PREVIOUS, digits(number - PREVIOUS_DISTANCE));
}
