import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMcpBridge } from '../../client/src/mcp-bridge.ts'
import type { Json } from '../api.ts'
import { attackClass } from './attack.ts'

/** Tests the bridge between standard input and the service: malformed input, and a service with invalid responses. */
const key = 'fc-secret-of-the-caller'
let server: Server
let baseUrl: string
let respond: (response: ServerResponse, body: string) => void
const headers: Json[] = []

const send =
  (text: string, type = 'application/json', status = 200) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': type }).end(text)
const echo = (response: ServerResponse, body: string) => {
  const { id = null } = JSON.parse(body)
  send(JSON.stringify({ jsonrpc: '2.0', id, result: { ok: true } }))(response)
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    headers.push(request.headers)
    response.on('error', () => {})
    respond(response, Buffer.concat(chunks).toString())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address with a port.
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Runs the bridge on this input, in pieces. Returns everything that it wrote. */
async function runBridge(input: (string | Buffer)[], options: object = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const outputChunks: Buffer[] = []
  const errorChunks: Buffer[] = []
  stdout.on('data', (part) => outputChunks.push(part))
  stderr.on('data', (part) => errorChunks.push(part))
  const running = runMcpBridge({
    baseUrl,
    apiKey: key,
    stdin,
    stdout,
    stderr,
    drainTimeoutMs: 2000,
    ...options,
  })
  for (const part of input) stdin.write(part)
  stdin.end()
  await running
  const out = Buffer.concat(outputChunks).toString()
  const lines = out.split('\n').filter((line) => line !== '')
  return {
    out,
    err: Buffer.concat(errorChunks).toString(),
    lines: lines.map((line): Json => JSON.parse(line)),
  }
}

const toRequest = (id: unknown, more: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', ...more })}\n`
const good = toRequest('good')
const versioned = (value: unknown) => ({ _meta: { 'io.modelcontextprotocol/protocolVersion': value } })

/** Input after which the bridge must still handle a valid request. */
const inputs: Record<string, (string | Buffer)[]> = {
  'no JSON': ['{"a": \n', good],
  'numbers, null and lists': ['1\n', 'null\n', '[]\n', '[null, 1]\n', '"x"\n', good],
  'wrong types': [
    toRequest({ a: 1 }, { params: 5 }),
    toRequest([], { params: null, method: 7 }),
    toRequest(1, { params: { name: 5, ...versioned('x') } }),
    good,
  ],
  'one byte at a time': [...good].map((byte) => Buffer.from(byte)),
  'bytes that are not UTF-8': [
    Buffer.from([0x80, 0xff, 0x0a]),
    Buffer.from('{"id": "\xff"}\n', 'latin1'),
    good,
  ],
  'a line of 65 megabytes': [Buffer.alloc(65 * 1024 * 1024, 0x61), '\n', good],
  'headers in names': [
    toRequest(1, { method: 'a\r\nx-stolen: 1', params: versioned('1\r\nx-stolen: 1') }),
    toRequest(2, { params: { uri: 'a\r\nx-stolen: 1', ...versioned('1') } }),
    good,
  ],
  'empty lines and carriage returns': ['\r\n\n  \n', good.replace('\n', '\r\n')],
  'one id twice': [good, good],
  'no end of the last line': [good.trimEnd()],
}

/** Responses that are not MCP messages. The bridge must end, with or without a line for the request. */
const responses: Record<string, (response: ServerResponse, body: string) => void> = {
  HTML: send('<p>Sign in</p>', 'text/html'),
  'an error without a body': send('', 'application/json', 500),
  'JSON that is no message': send('[null, 1, "jsonrpc"]'),
  'a version that is a header': send(
    '{"jsonrpc": "2.0", "id": "good", "result": {"protocolVersion": "1\\r\\nx-stolen: 1"}}',
  ),
  'a version of another type': send(
    '{"jsonrpc": "2.0", "id": "good", "result": {"protocolVersion": {"a": 1}}}',
  ),
  'a redirect': (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
  'line breaks inside an event': send(
    'data: {"jsonrpc": "2.0",\ndata: "id": "good", "result": {"x": "a\\n{}"}}\n\n',
    'text/event-stream',
  ),
  'events without data': send(':x\n\nevent: y\n\nid: 1\r\n\r\n', 'text/event-stream'),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '99' })
    response.write('{', () => response.destroy())
  },
  silence: () => {},
  'an event without an end': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = `data: ${'x'.repeat(1_000_000)}`
    const pour = () => {
      if (!response.destroyed) response.write(chunk, pour)
    }
    pour()
  },
}

describe('the MCP bridge', () => {
  attackClass({
    name: 'MCP bridge: broken input',
    vectors: Object.keys(inputs),
    run: async (name) => {
      respond = echo
      const { lines, err, out } = await runBridge(inputs[name] ?? [])
      if (headers.some((sent) => 'x-stolen' in sent)) return 'a header was added'
      if (`${err}${out}`.includes(key)) return 'the key was shown'
      return lines.some(({ id, result }) => id === 'good' && result?.ok)
        ? undefined
        : `no answer: ${out.slice(0, 300)}`
    },
  })

  attackClass({
    name: 'MCP bridge: a service that answers nonsense',
    vectors: Object.keys(responses),
    run: async (name) => {
      respond = responses[name] ?? echo
      const { lines, err, out } = await runBridge([good, toRequest('later')])
      if (`${err}${out}`.includes(key)) return 'the key was shown'
      if (headers.some((sent) => 'x-stolen' in sent)) return 'a header was added'
      return lines.every((line) => typeof line === 'object' && line !== null) ? undefined : out.slice(0, 300)
    },
  })

  it.each([
    [{ apiKey: `${key}\r\nx-stolen: 1` }, 'apiKey'],
    [{ apiKey: `${key}\u2028ä` }, 'apiKey'],
    [{ baseUrl: 'http://user:fc-secret-of-the-caller@127.0.0.1:1' }, 'baseUrl'],
    [{ baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
    [{ baseUrl: 'no address' }, 'baseUrl'],
  ])('rejects an invalid environment without showing its values', async (options, option) => {
    const failure = await runBridge([good], options).catch((thrown: Error) => thrown)
    expect(String(failure)).toContain(option)
    expect(String(failure)).not.toContain(key)
  })

  it('ends if the client closes its output during a request', async () => {
    respond = () => {}
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const running = runMcpBridge({ baseUrl, stdin, stdout, drainTimeoutMs: 600_000 })
    const before = headers.length
    stdin.write(good)
    await expect.poll(() => headers.length).toBeGreaterThan(before)
    stdout.destroy()
    stdin.end()
    await running
  })
})
