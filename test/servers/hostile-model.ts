import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelRequest } from './model-server.ts'
import { replyAsManipulated } from './obeying-model.ts'

/** Sends one hostile completion. The request is available for completions that must match it. */
type HostileReply = (response: ServerResponse, request: ModelRequest) => void

// biome-ignore lint/suspicious/noExplicitAny: hostile completions have any shape
type Body = any

/**
 * Returns a completion that fits the request: a value for its schema, a call of the tool that ends the task, or text.
 */
function plausibleBody(request: ModelRequest): Body {
  const tools = request.body.tools as { function: { name: string } }[] | undefined
  if (!tools)
    return 'body' in Object(replyAsManipulated(request)) ? Object(replyAsManipulated(request)).body : {}
  const name = tools.map((tool) => tool.function.name).find((toolName) => toolName === 'answer') ?? 'done'
  return toToolCalls([
    { id: 'a', function: { name, arguments: '{"answer": "It is a page.", "sources": []}' } },
  ])
}

const toToolCalls = (tool_calls: unknown): Body => ({ choices: [{ message: { content: null, tool_calls } }] })

const send = (body: unknown, status = 200, headers: Record<string, string> = {}): HostileReply => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }
}

const withUsage =
  (usage: unknown): HostileReply =>
  (response, request) =>
    send({ ...plausibleBody(request), usage })(response, request)

const withToolCalls =
  (make: (name: string) => unknown[]): HostileReply =>
  (response, request) =>
    send(toToolCalls(make(request.body.tools?.[0]?.function.name ?? 'done')))(response, request)

const withText = (content: unknown): HostileReply => send({ choices: [{ message: { content } }] })
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const deepObject = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const timers = new Set<NodeJS.Timeout>()

/** Completions that no honest model returns, by name. */
export const hostileAnswers: Record<string, HostileReply> = {
  'negative usage': withUsage({ prompt_tokens: -1_000_000_000, completion_tokens: -7 }),
  'huge usage': withUsage({ prompt_tokens: 1e300, completion_tokens: 1e300 }),
  'broken usage': withUsage({ prompt_tokens: 0.5, completion_tokens: null }),
  'usage that is text': withUsage({ prompt_tokens: '5', completion_tokens: {} }),
  'usage that is NaN': send('{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": NaN}}'),
  'an empty object': send({}),
  'a list': send([]),
  null: send('null'),
  'no choices': send({ choices: [] }),
  'a choice without a message': send({ choices: [{}] }),
  'calls of wrong types': send(toToolCalls([{ id: 5, function: { name: {}, arguments: 5 } }])),
  'arguments of wrong types': withToolCalls((name) => [{ id: 'a', function: { name, arguments: '[1, 2]' } }]),
  'nested arguments of wrong types': withToolCalls((name) => [
    {
      id: 'a',
      function: { name, arguments: '{"urls": {"0": 1}, "options": [], "url": 7, "answer": [], "ref": {}}' },
    },
  ]),
  'arguments with __proto__': withToolCalls((name) => [
    { id: 'a', function: { name, arguments: '{"__proto__": {"answer": "x"}, "constructor": 1}' } },
  ]),
  'thousands of calls with one id': withToolCalls((name) =>
    Array.from({ length: 5000 }, () => ({ id: 'a', function: { name, arguments: '{}' } })),
  ),
  'a call without an end': withToolCalls((name) => [
    { id: 'a', function: { name, arguments: '{"urls": ["http://127.0.0.1:1/"], "question": "x"}' } },
  ]),
  'seven megabytes of words': withText('tide '.repeat(1_400_000)),
  'words with NUL and half a surrogate': withText('{"a": "\u0000\ud800", "\u0000": 1}'),
  'deep JSON in words': withText(deep(200_000)),
  'deep objects in words': withText(deepObject(200_000)),
  'deep arguments': withToolCalls((name) => [
    {
      id: 'a',
      function: { name, arguments: `{"urls": ${deep(100_000)}, "options": ${deepObject(100_000)}}` },
    },
  ]),
  'a deep body': send(deepObject(400_000)),
  'a page of HTML': send('<!doctype html><p>Sign in</p>', 200, { 'content-type': 'text/html' }),
  'a redirect': send('', 302, { location: 'http://127.0.0.1:1/elsewhere' }),
  'a redirect with JSON': send('{"choices": [{"message": {"content": "x"}}]}', 307, { location: '/again' }),
  'a wait of a year': send('{}', 429, { 'retry-after': '31536000' }),
  'a broken status': send('{"error": {"message": {"deep": []}}}', 599),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('{"choices": [', () => response.destroy())
  },
  silence: () => {},
  'a drip without an end': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 50)
    timers.add(timer)
    response.on('close', () => clearInterval(timer))
  },
  'megabytes without an end': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = 'x'.repeat(65_536)
    const pour = () => {
      if (!response.destroyed) response.write(chunk, pour)
    }
    pour()
  },
}

export const hostileNames = Object.keys(hostileAnswers)

/** Starts a model server of one protocol that replies to every request with the selected completion. */
export async function startHostileModel() {
  let current: HostileReply = hostileAnswers.silence ?? (() => {})
  let requestCount = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requestCount += 1
    response.on('error', () => {})
    current(response, {
      ...{ path: request.url ?? '', headers: request.headers },
      body: JSON.parse(Buffer.concat(chunks).toString() || '{}'),
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    answer(name: string) {
      const reply = hostileAnswers[name]
      if (!reply) throw new Error(`no hostile answer is named ${name}`)
      current = reply
    },
    asked: () => requestCount,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
