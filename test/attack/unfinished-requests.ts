import { connect, type Socket } from 'node:net'

const json = 'application/json'

/** Requests whose body never ends. */
const targets = {
  'OPTIONS /': { line: 'OPTIONS / HTTP/1.1', type: json, needsKey: false },
  'POST /v2/scrape without a key': { line: 'POST /v2/scrape HTTP/1.1', type: json, needsKey: false },
  'POST /v2/scrape': { line: 'POST /v2/scrape HTTP/1.1', type: json, needsKey: true },
  'POST /mcp': { line: 'POST /mcp HTTP/1.1', type: json, needsKey: true },
  'POST /v2/parse': {
    ...{ line: 'POST /v2/parse HTTP/1.1', type: 'multipart/form-data; boundary=x', needsKey: true },
  },
}

export type TargetName = keyof typeof targets

export const targetNames = Object.keys(targets) as TargetName[]

/** Start of a form with one file. */
export const formStart = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.html"\r\n\r\n'

/** Returns the head of a request. `framing` contains the headers that describe the body. */
export function requestHead(name: TargetName, key: string, framing: string): string {
  const { line, type, needsKey } = targets[name]
  const authorization = needsKey ? [`authorization: Bearer ${key}`] : []
  return `${[line, 'host: localhost', `content-type: ${type}`, ...authorization, framing].join('\r\n')}\r\n\r\n`
}

export function sendTo(url: string, bytes: string | Buffer): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(bytes)
  return socket
}

/** Reads everything that the service sends until it closes the connection. */
export function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
  })
  return new Promise((resolve) => socket.once('close', () => resolve(text)))
}
