import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { liveMessages } from '../../test/attack/live-view-vectors.ts'
import { withIds } from './path-ids.ts'
import type { Row, Target } from './send-call.ts'

const openMs = 2500
const megabyte = 1024 * 1024

/** Creates a row that opens some sockets, and sends messages to each. */
function socketRow(name: string, path: string, [count, messages]: [number, () => Iterable<string>]): Row {
  return {
    name: `socket ${path}: ${name}`,
    async run(target, workMs) {
      const opened = await Promise.all(Array.from({ length: count }, () => open(target, path)))
      for (const socket of opened)
        if (socket instanceof WebSocket) for (const message of messages()) socket.send(message)
      await sleep(Math.max(workMs, openMs))
      for (const socket of opened) if (socket instanceof WebSocket) socket.terminate()
      return [...new Set(opened.map((socket) => (socket instanceof WebSocket ? 'open' : socket)))].join(', ')
    },
  }
}

function open({ url, key, ids }: Target, path: string): Promise<WebSocket | string> {
  const headers = { authorization: `Bearer ${key}` }
  const socket = new WebSocket(url.replace(/^http/, 'ws') + withIds(path, ids), { headers })
  return new Promise((resolve) => {
    socket.once('open', () => resolve(socket))
    socket.on('error', ({ message }) => resolve(message))
  })
}

const createNumberedMessages = (count: number, method: string, params: object = {}) =>
  Array.from({ length: count }, (_, id) => JSON.stringify({ id, method, params }))

const createTextInput = (text: string) => JSON.stringify({ type: 'text', text })

/** Rows of job events, live view and DevTools: many sockets, many messages, and the largest messages. */
export const socketRows: Row[][] = [
  ['/v2/crawl/{id}', '/v1/crawl/{id}', '/v2/batch/scrape/{id}'].map((path) =>
    socketRow('50 at once', path, [50, () => []]),
  ),
  [
    socketRow('every input', '/live/{live}', [1, () => liveMessages.map(({ text }) => text)]),
    socketRow('3000 inputs', '/live/{live}', [
      1,
      () => Array.from({ length: 3000 }, () => createTextInput('a')),
    ]),
    socketRow('long texts', '/live/{live}', [
      1,
      () => Array.from({ length: 50 }, () => createTextInput('a'.repeat(20_000))),
    ]),
    socketRow('too large', '/live/{live}', [1, () => ['x'.repeat(megabyte)]]),
  ],
  [
    socketRow('5000 messages', '/cdp/{cdp}', [1, () => createNumberedMessages(5000, 'Target.getTargets')]),
    socketRow('unknown methods', '/cdp/{cdp}', [1, () => createNumberedMessages(5000, 'No.such')]),
    socketRow('60 MB', '/cdp/{cdp}', [
      1,
      () => createNumberedMessages(1, 'Browser.getVersion', { x: 'a'.repeat(60 * megabyte) }),
    ]),
    socketRow('many values', '/cdp/{cdp}', [1, () => [`[${'[],'.repeat(20 * megabyte)}1]`]]),
    socketRow('deep', '/cdp/{cdp}', [1, () => ['['.repeat(4 * megabyte)]]),
  ],
]
