import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Reply of the server to a request: a response, or a way to fail. */
export type ModelReply =
  | { status?: number; headers?: Record<string, string>; body: unknown }
  | 'silence'
  | 'close'
  | 'half an answer'

export interface ModelRequest {
  path: string
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests field by field
  body: any
}

/**
 * Starts a model server that replies as the test defines, in any protocol. The last reply repeats. A function is
 * called for each request.
 */
export async function startModelServer(...replies: (ModelReply | ((request: ModelRequest) => ModelReply))[]) {
  const requests: ModelRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    const received = { path: request.url ?? '', headers: request.headers, body }
    requests.push(received)
    const reply = replies.length > 1 ? replies.shift() : replies[0]
    if (reply !== undefined) send(response, typeof reply === 'function' ? reply(received) : reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(response: ServerResponse, reply: ModelReply): void {
  if (reply === 'silence') return
  if (reply === 'close') return void response.destroy()
  if (reply === 'half an answer') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"choices": [', () => response.destroy())
    return
  }
  const { status = 200, headers = {}, body } = reply
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}
