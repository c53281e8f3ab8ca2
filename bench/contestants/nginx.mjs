// The limit for reads over HTTP: nginx, which parses the same requests and sends the very bytes that Taula answered,
// without looking anything up. It has a port for each operation, so that it need not choose an answer.

import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { commandPath, found, missingCommand, output } from './commands.mjs';

// nginx takes no longer word in its configuration than 4096 bytes; a longer answer is put together from several.
const WORD_BYTES_MAX = 3500;

// Headers that nginx writes by itself, with the same values but for the server's name.
const OWN_HEADERS = ['server', 'date', 'content-length', 'connection', 'content-type'];

function quoted(text) {
  if (/['$\\\n]/.test(text)) throw new Error(`nginx would read more than text in: ${text}`);
  return `'${text}'`;
}

export function serverBlock(port, { headers, body }, name) {
  const text = body.toString('utf8');
  const words = text.match(new RegExp(`[^]{1,${WORD_BYTES_MAX}}`, 'g'));
  const type = headers.find(([header]) => header.toLowerCase() === 'content-type')[1];
  const added = headers.filter(([header]) => !OWN_HEADERS.includes(header.toLowerCase()));
  return [
    'server {',
    `  listen 127.0.0.1:${port} reuseport backlog=1024;`,
    '  location / {',
    `    default_type ${quoted(type)};`,
    ...added.map(([header, value]) => `    add_header ${header} ${quoted(value)};`),
    ...(words.length > 1 ? words.map((word, i) => `    set $${name}${i} ${quoted(word)};`) : []),
    `    return 200 ${words.length > 1 ? `"${words.map((_, i) => `$${name}${i}`).join('')}"` : quoted(text)};`,
    '  }',
    '}',
  ].join('\n');
}

export function configuration({ folder, ports, answers }) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
${process.getuid() === 0 ? 'user root;' : ''}
daemon off;
worker_processes ${availableParallelism()};
pid ${quoted(join(folder, 'nginx.pid'))};
error_log ${quoted(join(folder, 'error.log'))} error;
events { worker_connections 4096; }
http {
  access_log off;
  server_tokens off;
  keepalive_timeout 3600s;
  keepalive_requests 1000000000;
${temporary.map((name) => `  ${name}_temp_path ${quoted(join(folder, name))};`).join('\n')}
${answers.map((answer, i) => serverBlock(ports[i], answer, `part${'abcdefghij'[i]}`)).join('\n')}
}
`;
}

export const nginx = {
  id: 'nginx',
  name: 'nginx',
  kind: 'limit',
  note: 'limit: sends the same bytes',
  supports: (operation) => operation.limit === true,
  missing: () => missingCommand('nginx'),
  version: () => found(output('nginx', '-v'), /nginx\/([\d.]+)/),
  command({ folder, ports, answers }) {
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, configuration({ folder, ports, answers }));
    return { file: commandPath('nginx'), args: ['-c', file, '-p', folder, '-e', join(folder, 'error.log')] };
  },
};
