import type { RandomSource } from './random.ts'
import type { RawRequest } from './raw-socket.ts'

/** Targets of requests. Most of them have a single error, and some are valid. */
const targets = [
  ...[
    '/',
    '//',
    '///',
    '/%zz',
    '/%',
    '/%00',
    '/%c0%af',
    '/v2/scrape',
    '/v2/crawl/%zz',
    '/v2/crawl/x',
    '*',
    '',
  ],
  ...[
    'http://',
    'http://a b/',
    'http:////',
    'ftp://x/',
    '/v2/files/%ff?expires=%&signature=%',
    '/../..',
    '/?%',
  ],
  ...[
    '/cdp/',
    '/cdp/x?token=%zz',
    '/live/x',
    '/live/%zz',
    '/v2/batch/scrape/%',
    '/internal/sessions/a/b',
    '\\',
  ],
  ...['/[', '/v2/crawl/[::1', '//[', '//:99999', '//a:b@', `/${'a'.repeat(600)}`, `/${'%41'.repeat(400)}`],
  ...[
    `/v2/crawl/${'x'.repeat(501)}`,
    `/${'a/'.repeat(2000)}`,
    `/?${'a=b&'.repeat(3000)}`,
    '/docs#x',
    '/\u0000',
  ],
]
const methods = [
  ...['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT', 'PROPFIND', 'FOO'],
  ...['get', 'G ET', '', 'GET\tX', '\u0000', 'M-SEARCH', 'PRI', 'A'.repeat(300)],
]
const versions = [
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/9.9',
  'HTTQ/1.1',
  'http/1.1',
  '',
  'HTTP/1.1 x',
]
const headers = [
  ...[
    'host: x',
    'host:',
    'host: a\r\nhost: b',
    'host: \u0000',
    'Host x',
    ': x',
    'host: [',
    'x-request-id: \u007f',
  ],
  ...[
    'content-length: -1',
    'content-length: 5',
    'content-length: 5\r\ncontent-length: 6',
    'content-length: 1e9',
  ],
  ...[
    'transfer-encoding: chunked',
    'transfer-encoding: chunked, gzip',
    'transfer-encoding: identity',
    'te: trailers',
  ],
  ...[
    'content-type: application/json',
    'content-type: multipart/form-data',
    'content-type: \u00e9',
    'accept: */*',
  ],
  ...[
    'content-type: multipart/form-data; boundary=x',
    'expect: 100-continue',
    'expect: 200-ok',
    'connection: close',
  ],
  ...[
    'authorization: Bearer',
    'authorization: Bearer x y',
    `authorization: Bearer ${'k'.repeat(4000)}`,
    'range: bytes=0-',
  ],
  ...[
    'connection: upgrade',
    'upgrade: websocket',
    'upgrade: h2c',
    'sec-websocket-version: 13',
    'sec-websocket-key: x',
  ],
  ...[
    'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
    'sec-websocket-version: 99',
    'sec-websocket-protocol: a,,b',
  ],
  ...[
    'sec-websocket-extensions: permessage-deflate; x=',
    'content-encoding: gzip',
    `x: ${'y'.repeat(20_000)}`,
  ],
  ...[
    'x-winnow-session-home: x',
    'x-forwarded-for: 1',
    'x-idempotency-key: \u0001',
    'cookie: =;=;',
    ' folded: x',
  ],
]
const bodies = [
  ...[
    '',
    '{}',
    '{',
    '[]',
    'null',
    '0',
    '{"url":"http://127.0.0.1:1/"}',
    '5\r\nhello\r\n0\r\n\r\n',
    'zz\r\n',
    '-1\r\n\r\n',
  ],
  ...[
    'ffffffffffffffff\r\n',
    '--x\r\n',
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n',
  ],
  ...['--x--\r\n', '\u0000'.repeat(100), '0;a=b\r\nfoo: bar\r\n\r\n', 'GET / HTTP/1.1\r\nhost: y\r\n\r\n'],
]
const ends = ['\r\n', '\n', '\r', '\r\n\r\n', '']

/** Returns an HTTP request that is malformed or nearly valid. */
export function malformedRequest(random: RandomSource): RawRequest {
  const end = random.isLucky(0.85) ? '\r\n' : random.oneOf(ends)
  const first = `${random.oneOf(methods)} ${random.oneOf(targets)} ${random.isLucky(0.8) ? 'HTTP/1.1' : random.oneOf(versions)}`
  const lines = Array.from({ length: random.below(7) }, () => random.oneOf(headers))
  const host = random.isLucky(0.8) ? ['host: localhost'] : []
  const text = `${[first, ...host, ...lines].join(end)}${end}${end}${random.oneOf(bodies)}`
  return split(random, Buffer.from(text, 'latin1'))
}

/** Returns a WebSocket upgrade with mostly valid lines. */
export function malformedUpgrade(random: RandomSource): RawRequest {
  const lines = [
    `GET ${random.oneOf(targets)} HTTP/1.1`,
    'host: localhost',
    'connection: upgrade',
    `upgrade: ${random.isLucky(0.8) ? 'websocket' : random.oneOf(['h2c', 'x', ''])}`,
    `sec-websocket-version: ${random.isLucky(0.8) ? '13' : '0'}`,
    `sec-websocket-key: ${random.isLucky(0.8) ? 'AAAAAAAAAAAAAAAAAAAAAA==' : 'x'}`,
    ...(random.isLucky(0.3) ? [random.oneOf(headers)] : []),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return split(random, Buffer.concat([head, random.isLucky(0.5) ? malformedFrame(random) : Buffer.alloc(0)]))
}

/** Returns a WebSocket frame with random bits, wrong lengths, and often no mask. */
export function malformedFrame(random: RandomSource): Buffer {
  const first = random.isLucky(0.5) ? 0x80 | random.oneOf([0, 1, 2, 8, 9, 10]) : random.below(256)
  const mask = random.isLucky(0.7) ? 0x80 : 0
  const length = random.oneOf([0, 1, 5, 125, 126, 127, random.below(126)])
  const extended = random.bytes(length === 126 ? 2 : length === 127 ? 8 : 0)
  return Buffer.concat([
    Buffer.from([first, mask | length]),
    extended,
    random.bytes(mask ? 4 : 0),
    random.bytes(random.below(140)),
  ])
}

/** Splits the bytes into one to four packets, sometimes truncated, with one of three ways to disconnect. */
function split(random: RandomSource, message: Buffer): RawRequest {
  const isTruncated = random.isLucky(0.3)
  const bytes = isTruncated ? message.subarray(0, random.below(message.length + 1)) : message
  const cuts = Array.from({ length: random.below(4) }, () => random.below(bytes.length + 1)).sort(
    (a, b) => a - b,
  )
  const parts = [0, ...cuts].map((start, index) => bytes.subarray(start, [...cuts, bytes.length][index]))
  return { parts, leave: random.oneOf(['reset', 'reset', 'end', 'end', 'wait'] as const) }
}
