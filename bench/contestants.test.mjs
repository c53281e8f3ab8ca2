import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTESTANTS } from './contestants/index.mjs';
import { configuration, serverBlock } from './contestants/nginx.mjs';
import { parseBenchmark } from './contestants/redis.mjs';
import { durable } from './contestants/taula.mjs';
import { serverEnvironment } from './launch.mjs';
import { parseOptions } from './options.mjs';
import { asMarkdown, asText } from './tables.mjs';

const headers = [
  ['Server', 'Server'],
  ['Content-Type', 'application/x-amz-json-1.0'],
  ['Content-Length', '2'],
  ['x-amz-crc32', '42'],
];

test('every contestant has what the table of contestants promises', () => {
  assert.equal(new Set(CONTESTANTS.map(({ id }) => id)).size, CONTESTANTS.length);
  for (const { name, note, kind, missing, version, command } of CONTESTANTS) {
    assert.ok(name && note && ['database', 'limit'].includes(kind));
    for (const part of [missing, version, command]) assert.equal(typeof part, 'function');
  }
});

test("nginx adds Taula's own headers and leaves those it writes itself", () => {
  const block = serverBlock(8000, { headers, body: Buffer.from('{}') }, 'a');
  assert.match(block, /add_header x-amz-crc32 '42';/);
  assert.match(block, /default_type 'application\/x-amz-json-1\.0';/);
  assert.match(block, /return 200 '\{\}';/);
  assert.doesNotMatch(block, /add_header (Server|Content)/);
});

test('a long answer reaches nginx in words it can read', () => {
  const body = Buffer.from(`{"a":"${'x'.repeat(9000)}"}`);
  const block = serverBlock(8000, { headers, body }, 'a');
  const words = [...block.matchAll(/set \$a\d '([^']*)'/g)].map(([, word]) => word);
  assert.equal(words.join(''), body.toString());
  assert.ok(words.every((word) => word.length < 4096));
});

test('an answer that nginx would take for more than text is refused', () => {
  assert.throws(() => serverBlock(8000, { headers, body: Buffer.from('{"a":"$b"}') }, 'a'), /more than text/);
});

test('nginx keeps everything it writes in its folder, whatever its name', () => {
  const text = configuration({ folder: '/some; folder', ports: [1], answers: [{ headers, body: Buffer.from('{}') }] });
  assert.match(text, /pid '\/some; folder\/nginx\.pid';/);
  assert.match(text, /error_log '\/some; folder\/error\.log' error;/);
  assert.match(text, /proxy_temp_path '\/some; folder\/proxy';/);
  assert.match(text, /access_log off/);
});

test("redis-benchmark's figures are read", () => {
  const said = `====== GET event:__rand_int__ ======
Latency by percentile distribution:
0.000% <= 0.063 milliseconds (cumulative count 1)
99.902% <= 0.447 milliseconds (cumulative count 19982)
100.000% <= 0.591 milliseconds (cumulative count 20000)
Summary:
  throughput summary: 95238.09 requests per second
  latency summary (msec):
          avg       min       p50       p95       p99       max
        0.172     0.056     0.167     0.231     0.311     0.591
`;
  assert.deepEqual(parseBenchmark(said), { rate: 95238.09, p50: 167, p99: 311, p999: 447, max: 591 });
});

test('durable says so, whatever taula serve would do by itself', () => {
  const { args } = durable.command({ ports: [1], folder: '/some', options: ['--cache-size', '1G'] });
  assert.equal(args[args.indexOf('--durability') + 1], 'sync');
});

test("a server does not get the caller's options for Taula", () => {
  assert.deepEqual(serverEnvironment({ PATH: '/bin', TAULA_DURABILITY: 'relaxed' }), { PATH: '/bin' });
});

test('options choose contestants and operations by their ids', () => {
  const settings = parseOptions([
    '--contestants',
    'taula,nginx',
    '--operations',
    'get',
    '--connections',
    '1,8',
    '--seconds',
    '3',
  ]);
  assert.deepEqual(
    settings.contestants.map(({ id }) => id),
    ['taula', 'nginx'],
  );
  assert.deepEqual(
    settings.operations.map(({ id }) => id),
    ['get'],
  );
  assert.deepEqual(settings.connections, [1, 8]);
  assert.equal(settings.seconds, 3);
});

test('options that make no sense are refused in words', () => {
  assert.match(parseOptions(['--contestants', 'oracle']).error, /no 'oracle'/);
  assert.match(parseOptions(['--rounds', 'x']).error, /--rounds/);
  assert.match(parseOptions(['--items', '5']).error, /1000/);
  assert.match(parseOptions(['--nonsense']).error, /nonsense/);
});

test('options of the other kind of run are refused', () => {
  assert.match(parseOptions(['--growth', '--items', '5000']).error, /--items is not for --growth/);
  assert.match(parseOptions(['--growth', '--contestants', 'taula']).error, /--contestants/);
  assert.match(parseOptions(['--sizes', '5000']).error, /--sizes is only for --growth/);
  assert.match(parseOptions(['--cache-size', '1G']).error, /--cache-size/);
  assert.match(parseOptions(['--growth', '--connections', '1,32']).error, /one number of --connections/);
});

test('a cache size that the report could not read is refused', () => {
  assert.match(parseOptions(['--growth', '--cache-size', 'large']).error, /--cache-size/);
  assert.equal(parseOptions(['--growth', '--cache-size', '512MB']).cacheSize, '512MB');
});

test('sizes ascend, and none is too small', () => {
  assert.deepEqual(parseOptions(['--growth', '--sizes', '20000,3000,20000']).sizes, [3000, 20_000]);
  assert.match(parseOptions(['--growth', '--sizes', '10000,999']).error, /1000/);
});

test('a section is written as text and as Markdown', () => {
  const sections = [{ title: 'Rates', head: ['', 'a|b'], rows: [['Get', '12']], notes: ['a note'] }];
  assert.equal(asText(sections), 'Rates\n=====\n     a|b\n---  ---\nGet   12\na note\n');
  assert.match(
    asMarkdown('Title', sections),
    /# Title\n\n## Rates\n\n\| {2}\| a\\\|b \|\n\|---\|--:\|\n\| Get \| 12 \|/,
  );
});
