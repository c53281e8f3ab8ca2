// One HTTP connection on which exactly the given bytes are sent, and on which an answer's head is seen as it came.

import { once } from 'node:events';
import { connect } from 'node:net';

const ANSWER_SECONDS_MAX = 60;

// The answer at the start of `bytes`, or undefined while it is not complete.
export function parseAnswer(bytes) {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine, ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const header = (name) => headers.find(([other]) => other.toLowerCase() === name)?.[1];
  const bodyStart = headEnd + 4;
  if (header('transfer-encoding')?.toLowerCase() === 'chunked') {
    const chunked = parseChunks(bytes, bodyStart);
    return chunked && { status, headers, ...chunked };
  }
  const end = bodyStart + Number(header('content-length') ?? 0);
  return bytes.length < end ? undefined : { status, headers, body: bytes.subarray(bodyStart, end), end };
}

function parseChunks(bytes, start) {
  const chunks = [];
  for (let position = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', position);
    if (lineEnd < 0) return undefined;
    const size = parseInt(bytes.toString('latin1', position, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (bytes.length < end) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), end };
    chunks.push(bytes.subarray(lineEnd + 2, end - 2));
    position = end;
  }
}

export async function openConnection(port) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  let waiting;
  const settle = (how, value) => {
    const one = waiting;
    waiting = undefined;
    if (one) clearTimeout(one.timer);
    one?.[how](value);
  };
  socket.on('data', (bytes) => {
    received = received.length ? Buffer.concat([received, bytes]) : bytes;
    const answer = parseAnswer(received);
    if (!answer) return;
    received = received.subarray(answer.end);
    settle('resolve', answer);
  });
  socket.on('error', (error) => settle('reject', error));
  socket.on('close', () => settle('reject', new Error('the server closed the connection')));
  return {
    // { status, headers: [[name, value]...], body }
    send(text) {
      return new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the server closed the connection'));
        const timer = setTimeout(() => {
          socket.destroy();
          settle('reject', new Error(`no answer within ${ANSWER_SECONDS_MAX} s`));
        }, ANSWER_SECONDS_MAX * 1000);
        waiting = { resolve, reject, timer };
        socket.write(text);
      });
    },
    close: () => socket.destroy(),
  };
}

// One request on a connection of its own.
export async function sendOnce(port, text) {
  const connection = await openConnection(port);
  try {
    return await connection.send(text);
  } finally {
    connection.close();
  }
}
