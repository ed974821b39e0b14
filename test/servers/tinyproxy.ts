import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onFreePort } from './free-port.ts'
import { startGuardedServer } from './guarded-server.ts'

export interface Tinyproxy {
  port: number
  stop(): Promise<void>
}

export interface TinyproxyOptions {
  /** Name in the header `via` of the requests that the proxy forwards. */
  name: string
  /** Credentials that clients must send. */
  credentials?: { user: string; password: string }
}

/** Returns the path of tinyproxy, which `npm test` installs; undefined if the installation failed. */
export function findTinyproxy(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/bin', '/usr/sbin']
  return folders.map((folder) => join(folder, 'tinyproxy')).find((path) => existsSync(path))
}

/** Starts a real forward proxy on a free loopback port, without a restriction of targets. */
export function startTinyproxy(options: TinyproxyOptions): Promise<Tinyproxy> {
  return onFreePort(async (port) => {
    const folder = mkdtempSync(join(tmpdir(), 'winnow-tinyproxy-'))
    const configuration = join(folder, 'tinyproxy.conf')
    writeFileSync(configuration, linesFor(port, options).join('\n'))
    const server = startGuardedServer({
      folder,
      before: [],
      server: { program: findTinyproxy() ?? 'tinyproxy', arguments: ['-d', '-c', configuration] },
      stopSignal: 'SIGTERM',
    })
    await server.waitUntilReady(() => reach(port))
    return { port, stop: server.stop }
  })
}

function linesFor(port: number, { name, credentials }: TinyproxyOptions): string[] {
  return [
    `Port ${port}`,
    'Listen 127.0.0.1',
    'Allow 127.0.0.1',
    'Timeout 60',
    `ViaProxyName "${name}"`,
    ...(credentials ? [`BasicAuth ${credentials.user} ${credentials.password}`] : []),
    '',
  ]
}

function reach(port: number): Promise<true> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', reject)
  })
}
