import { once } from 'node:events'
import { isIPv4, isIPv6, type Socket } from 'node:net'
import { badCredentials } from './refusal.ts'
import type { Target } from './target.ts'

export interface Credentials {
  user: string
  password: string
}

interface SocksRequest {
  target: Target
  credentials: Credentials | undefined
}

/** Asks a SOCKS5 proxy (RFC 1928, passwords RFC 1929) to connect this socket with the target. */
export async function socksConnect(
  socket: Socket,
  request: SocksRequest,
  signal: AbortSignal,
): Promise<void> {
  const { target, credentials } = request
  const methods = credentials ? [withoutLogin, withPassword] : [withoutLogin]
  socket.write(Buffer.from([version, methods.length, ...methods]))
  const method = (await take(socket, 2, signal))[1]
  if (method === undefined || !methods.includes(method)) throw badCredentials()
  if (method === withPassword && credentials) await logIn(socket, credentials, signal)
  const port = [target.port >> 8, target.port & 0xff]
  socket.write(Buffer.from([version, 1, 0, ...addressOf(target.host), ...port]))
  const [, status, , kind] = await take(socket, 4, signal)
  if (status !== 0) throw failed(`answered ${status}`)
  // The bound address of the proxy is not needed, but precedes the first byte of the target.
  const named = kind === kinds.name ? ((await take(socket, 1, signal))[0] ?? 0) : 0
  await take(socket, (kind === kinds.name ? named : kind === kinds.ipv6 ? 16 : 4) + 2, signal)
}

const version = 5
const withoutLogin = 0
const withPassword = 2
const kinds = { ipv4: 1, name: 3, ipv6: 4 }

async function logIn(socket: Socket, { user, password }: Credentials, signal: AbortSignal): Promise<void> {
  socket.write(Buffer.from([1, ...sized(user), ...sized(password)]))
  if ((await take(socket, 2, signal))[1] !== 0) throw badCredentials()
}

function addressOf(host: string): number[] {
  if (isIPv4(host)) return [kinds.ipv4, ...host.split('.').map(Number)]
  return isIPv6(host) ? [kinds.ipv6, ...bytesOfIPv6(host)] : [kinds.name, ...sized(host)]
}

function bytesOfIPv6(host: string): number[] {
  const [before = '', after] = host.split('::')
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [left, right] = [groups(before), groups(after ?? '')]
  const gap = Array<number>(8 - left.length - right.length).fill(0)
  return [...left, ...gap, ...right].flatMap((group) => [group >> 8, group & 0xff])
}

function sized(text: string): number[] {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw failed('takes no names longer than 255 bytes')
  return [bytes.length, ...bytes]
}

/** Reads exactly this many bytes and leaves the rest for the next reader of the socket. */
async function take(socket: Socket, size: number, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = socket.read(size)
    if (bytes?.length === size) return bytes
    if (bytes || socket.readableEnded || socket.destroyed) throw failed('ended the connection')
    await once(socket, 'readable', { signal })
  }
}

function failed(what: string): Error {
  return new Error(`The upstream proxy ${what}.`)
}
