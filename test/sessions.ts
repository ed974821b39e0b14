import { readdirSync, readFileSync } from 'node:fs'
import { WebSocket } from 'ws'
import type { Json, OwnService } from './api.ts'

/** Helpers for tests of browser sessions: processes of a service, and WebSockets with the DevTools protocol. */

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
        // The process ended while its files were read.
        return []
      }
    })
}

/** Returns all running descendants of a process. */
export function descendants(id: number): Process[] {
  const all = processes()
  const descendantProcesses: Process[] = []
  const queue = [id]
  for (let parent = queue.shift(); parent !== undefined; parent = queue.shift()) {
    const children = all.filter((process) => process.parent === parent)
    descendantProcesses.push(...children)
    queue.push(...children.map((child) => child.id))
  }
  return descendantProcesses
}

/** Returns the main processes of the session browsers of a service. */
export function sessionBrowsersOf(service: OwnService): Process[] {
  return descendants(service.process.pid ?? 0).filter(
    ({ command }) => command.includes('--remote-debugging-pipe') && /^\S*chrom\S* /.test(command),
  )
}

export const isRunning = (id: number): boolean => processes().some((process) => process.id === id)

export interface Devtools {
  send(method: string, params?: object): Promise<Json>
  /** Resolves to the close code. */
  closed: Promise<number>
  close(): void
}

/** Creates a DevTools client without a library. */
export async function devtools(url: string): Promise<Devtools> {
  const socket = new WebSocket(url)
  const pending = new Map<number, (reply: Json) => void>()
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.on('message', (text) => {
    const message = JSON.parse(String(text))
    pending.get(message.id)?.(message)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  let lastId = 0
  return {
    send(method, params = {}) {
      lastId += 1
      const id = lastId
      socket.send(JSON.stringify({ id, method, params }))
      return new Promise((resolve) => pending.set(id, resolve))
    },
    closed,
    close: () => socket.close(),
  }
}

/** Returns the status with which a WebSocket upgrade is rejected; 101 if it is accepted. */
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
