// Requests as bytes on a socket, for what no SDK would ever send.

import { connect } from 'node:net';

export const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261115/us-east-1/dynamodb/aws4_request, ' +
  'SignedHeaders=host;x-amz-date;x-amz-target, Signature=0000000000000000000000000000000000000000000000000000000000000000';

// The head of a POST. A header set to undefined is left out.
export function head(operation, headers = {}, line = 'POST / HTTP/1.1') {
  const all = {
    Host: 'localhost',
    'X-Amz-Target': `DynamoDB_20120810.${operation}`,
    'X-Amz-Date': '20261115T000000Z',
    'Content-Type': 'application/x-amz-json-1.0',
    Authorization: AUTHORIZATION,
    ...headers,
  };
  const lines = Object.entries(all).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${value}`);
  return `${[line, ...lines].join('\r\n')}\r\n\r\n`;
}

export function request(operation, body, headers = {}, line) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return Buffer.concat([Buffer.from(head(operation, { 'Content-Length': bytes.length, ...headers }, line)), bytes]);
}

// Takes one response off the front of what was received; undefined while it is
// not complete.
function takeResponse(received) {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine, ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  let at = end + 4;
  if (status === 100) return { response: { status, headers, body: Buffer.alloc(0) }, rest: received.subarray(at) };
  if (headers['transfer-encoding'] === 'chunked') {
    const parts = [];
    for (;;) {
      const line = received.indexOf('\r\n', at);
      if (line < 0) return undefined;
      const size = parseInt(received.subarray(at, line).toString(), 16);
      if (received.length < line + 2 + size + 2) return undefined;
      parts.push(received.subarray(line + 2, line + 2 + size));
      at = line + 2 + size + 2;
      if (size === 0) return { response: { status, headers, body: Buffer.concat(parts) }, rest: received.subarray(at) };
    }
  }
  const length = Number(headers['content-length'] ?? 0);
  if (received.length < at + length) return undefined;
  return { response: { status, headers, body: received.subarray(at, at + length) }, rest: received.subarray(at + length) };
}

// Opens a connection: send(bytes), receive() → { status, headers, body },
// closed() resolves when the server has ended it.
export function open(endpoint, seconds = 15) {
  const { hostname, port } = new URL(endpoint);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  let received = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on('data', (data) => {
    received = Buffer.concat([received, data]);
    wake();
  });
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, () => {
      ended = true;
      wake();
    });
  }
  const change = () =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer in ${seconds} s; so far: ${received}`)), seconds * 1000);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return {
    send: (bytes) => socket.write(bytes),
    async receive() {
      for (;;) {
        const taken = takeResponse(received);
        if (taken) {
          received = taken.rest;
          return taken.response;
        }
        if (ended) throw new Error(`the connection ended before an answer; so far: ${received}`);
        await change();
      }
    },
    async closed() {
      while (!ended) await change();
    },
    close: () => socket.destroy(),
  };
}

export async function exchange(endpoint, bytes) {
  const connection = open(endpoint);
  try {
    connection.send(bytes);
    return await connection.receive();
  } finally {
    connection.close();
  }
}
