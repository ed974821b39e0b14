import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelRequest } from './model-server.ts'
import { obey } from './obeying-model.ts'

/** Sends one hostile answer. The request is there for answers that have to fit it. */
type Hostile = (response: ServerResponse, request: ModelRequest) => void

// biome-ignore lint/suspicious/noExplicitAny: hostile answers have any shape
type Body = any

/** An answer that fits the request: a value for its schema, the last of its tools, or words. */
function plausible(request: ModelRequest): Body {
  const tools = request.body.tools as { function: { name: string } }[] | undefined
  if (!tools) return 'body' in Object(obey(request)) ? Object(obey(request)).body : {}
  const name = tools.map((tool) => tool.function.name).find((one) => one === 'answer') ?? 'done'
  return calling([{ id: 'a', function: { name, arguments: '{"answer": "It is a page.", "sources": []}' } }])
}

const calling = (tool_calls: unknown): Body => ({ choices: [{ message: { content: null, tool_calls } }] })

const send = (body: unknown, status = 200, headers: Record<string, string> = {}): Hostile => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }
}

const counting =
  (usage: unknown): Hostile =>
  (response, request) =>
    send({ ...plausible(request), usage })(response, request)

const calls =
  (make: (name: string) => unknown[]): Hostile =>
  (response, request) =>
    send(calling(make(request.body.tools?.[0]?.function.name ?? 'done')))(response, request)

const words = (content: unknown): Hostile => send({ choices: [{ message: { content } }] })
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const deepObject = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const timers = new Set<NodeJS.Timeout>()

/** Answers that no honest model gives, by name. */
export const hostileAnswers: Record<string, Hostile> = {
  'negative usage': counting({ prompt_tokens: -1_000_000_000, completion_tokens: -7 }),
  'huge usage': counting({ prompt_tokens: 1e300, completion_tokens: 1e300 }),
  'broken usage': counting({ prompt_tokens: 0.5, completion_tokens: null }),
  'usage that is text': counting({ prompt_tokens: '5', completion_tokens: {} }),
  'usage that is NaN': send('{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": NaN}}'),
  'an empty object': send({}),
  'a list': send([]),
  null: send('null'),
  'no choices': send({ choices: [] }),
  'a choice without a message': send({ choices: [{}] }),
  'calls of wrong types': send(calling([{ id: 5, function: { name: {}, arguments: 5 } }])),
  'arguments of wrong types': calls((name) => [{ id: 'a', function: { name, arguments: '[1, 2]' } }]),
  'nested arguments of wrong types': calls((name) => [
    {
      id: 'a',
      function: { name, arguments: '{"urls": {"0": 1}, "options": [], "url": 7, "answer": [], "ref": {}}' },
    },
  ]),
  'arguments with __proto__': calls((name) => [
    { id: 'a', function: { name, arguments: '{"__proto__": {"answer": "x"}, "constructor": 1}' } },
  ]),
  'thousands of calls with one id': calls((name) =>
    Array.from({ length: 5000 }, () => ({ id: 'a', function: { name, arguments: '{}' } })),
  ),
  'a call without an end': calls((name) => [
    { id: 'a', function: { name, arguments: '{"urls": ["http://127.0.0.1:1/"], "question": "x"}' } },
  ]),
  'seven megabytes of words': words('tide '.repeat(1_400_000)),
  'words with NUL and half a surrogate': words('{"a": "\u0000\ud800", "\u0000": 1}'),
  'deep JSON in words': words(deep(200_000)),
  'deep objects in words': words(deepObject(200_000)),
  'deep arguments': calls((name) => [
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

/** A model server of one protocol that answers every request in the way that is set. */
export async function startHostileModel() {
  let current: Hostile = hostileAnswers.silence ?? (() => {})
  let asked = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked += 1
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
      const found = hostileAnswers[name]
      if (!found) throw new Error(`no hostile answer is named ${name}`)
      current = found
    },
    asked: () => asked,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
