import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { WebSocket } from 'ws'
import type { Json } from '../api.ts'

/** A connection that stays open, from the point of view of a client. */
export interface OpenStream {
  /** 200, or the status of the error. */
  status: number
  /** Code of the error. */
  code: string | undefined
  hasEnded(): boolean
  close(): void
}

export interface StreamTarget {
  url: string
  /** Id of a batch that does not end during the test. */
  running: string
  /** Id of a finished batch whose documents do not fit into the buffers of a connection. */
  large: string
}

type Open = (target: StreamTarget, key: string, signal?: AbortSignal) => Promise<OpenStream>

/** Every kind of connection that stays open after its request. */
export const streamKinds: Record<string, Open> = {
  'job events': (target, key, signal) =>
    get(target, { path: `/v2/batch/scrape/${target.running}/events`, key, signal }),
  'team events': (target, key, signal) => get(target, { path: '/v2/team/events', key, signal }),
  downloads: (target, key, signal) =>
    get(target, { path: `/v2/batch/scrape/${target.large}/download`, key, signal, isUnread: true }),
  'calls of /mcp': (target, key, signal) => {
    // The tool reports progress immediately, so the response begins at once.
    const input = { id: target.running, kind: 'batch', waitSeconds: 300 }
    const params = { name: 'job_status', arguments: input, _meta: { progressToken: 1 } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    return get(target, { path: '/mcp', key, signal, body })
  },
  watchers: watch,
}

interface GetOptions {
  path: string
  key: string
  signal?: AbortSignal | undefined
  body?: string
  /** True if the client does not read the response. */
  isUnread?: boolean
}

function get(target: StreamTarget, options: GetOptions): Promise<OpenStream> {
  const { path, key, signal, body, isUnread = false } = options
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = request(`${target.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      headers: {
        ...{ authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' },
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(signal ? { signal } : {}),
    })
    let hasEnded = false
    outgoing.on('error', reject)
    outgoing.on('close', () => {
      hasEnded = true
    })
    const stream = (status: number, code?: string) =>
      resolve({ status, code, hasEnded: () => hasEnded, close: () => outgoing.destroy() })
    outgoing.on('response', (response: IncomingMessage) => {
      response.on('error', () => undefined)
      const { statusCode = 0 } = response
      if (statusCode !== 200) return void readCode(response).then((code) => stream(statusCode, code))
      // A client that does not read does not notice that the connection was closed.
      if (isUnread) response.once('readable', () => stream(statusCode))
      else {
        response.resume()
        stream(statusCode)
      }
    })
    outgoing.end(body)
  })
}

async function readCode(response: IncomingMessage): Promise<string | undefined> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  try {
    return (JSON.parse(text) as Json).code
  } catch {
    return text.slice(0, 100)
  }
}

function watch(target: StreamTarget, key: string, signal?: AbortSignal): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const url = `${target.url.replace('http', 'ws')}/v2/batch/scrape/${target.running}`
    const socket = new WebSocket(url, key)
    signal?.addEventListener('abort', () => {
      socket.terminate()
      reject(signal.reason)
    })
    let hasEnded = false
    const close = () => socket.terminate()
    socket.on('error', () => undefined)
    socket.on('close', () => {
      hasEnded = true
    })
    socket.once('message', (text) => {
      const { type, error } = JSON.parse(String(text)) as Json
      const isRefused = type === 'error'
      resolve({ status: isRefused ? 400 : 200, code: error, hasEnded: () => hasEnded, close })
    })
    socket.once('unexpected-response', async (_, response) => {
      const code = await readCode(response)
      resolve({ status: response.statusCode ?? 0, code, hasEnded: () => true, close })
    })
  })
}
