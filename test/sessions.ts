import { readdirSync, readFileSync } from 'node:fs'
import { WebSocket } from 'ws'
import type { Json, OwnService } from './api.ts'

/** What tests of browser sessions share: processes of a service, and sockets that speak DevTools. */

interface Process {
  id: number
  parent: number
  command: string
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return state === 'Z' ? [] : [{ id: Number(name), parent: Number(parent), command }]
      } catch {
        // It ended while it was looked at.
        return []
      }
    })
}

/** Everything that a process has started and that still runs. */
export function descendants(id: number): Process[] {
  const all = processes()
  const found: Process[] = []
  const waiting = [id]
  for (let parent = waiting.shift(); parent !== undefined; parent = waiting.shift()) {
    const children = all.filter((process) => process.parent === parent)
    found.push(...children)
    waiting.push(...children.map((child) => child.id))
  }
  return found
}

/** The main processes of the session browsers of a service. */
export function sessionBrowsersOf(service: OwnService): Process[] {
  return descendants(service.process.pid ?? 0).filter(
    ({ command }) => command.includes('--remote-debugging-pipe') && /^\S*chrom\S* /.test(command),
  )
}

export const isRunning = (id: number): boolean => processes().some((process) => process.id === id)

export interface Devtools {
  send(method: string, params?: object): Promise<Json>
  /** The code it was closed with. */
  closed: Promise<number>
  close(): void
}

/** A DevTools client without a library. */
export async function devtools(url: string): Promise<Devtools> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (answer: Json) => void>()
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.on('message', (text) => {
    const message = JSON.parse(String(text))
    waiting.get(message.id)?.(message)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  let last = 0
  return {
    send(method, params = {}) {
      last += 1
      const id = last
      socket.send(JSON.stringify({ id, method, params }))
      return new Promise((resolve) => waiting.set(id, resolve))
    },
    closed,
    close: () => socket.close(),
  }
}

/** The status a socket is refused with; 101 when it is not. */
export function upgradeStatus(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    socket.once('open', () => {
      socket.close()
      resolve(101)
    })
    socket.once('error', reject)
  })
}
