import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { descendants } from '../sessions.ts'
import { until } from './until.ts'

export interface Command {
  program: string
  arguments: string[]
  uid?: number
  gid?: number
}

/** Task of a keeper: it runs the commands in order, then the server, and removes the folder at the end. */
export interface KeeperTask {
  folder: string
  before: Command[]
  server: Command
  stopSignal: NodeJS.Signals
}

export interface GuardedServer {
  /**
   * Calls `ask` until it returns a value. If the server ends or the time limit passes first, stops the keeper and
   * throws. If the server ended, the error contains its log.
   */
  waitUntilReady(ask: () => Promise<unknown>): Promise<void>
  /** Stops the server, and waits until its process and its folder no longer exist. */
  stop(): Promise<void>
  /** Shuts down the server and starts it again after a while, on the same folder and port. */
  restart(afterMs: number): void
  /** Suspends the server and all its processes, like a machine that hangs. Returns a function that resumes them. */
  freeze(): () => void
  /** Sends a signal to the server itself, immediately. */
  signal(signal: NodeJS.Signals): void
}

/**
 * Runs a server as the child of a small keeper process, which reads from a pipe of this process. However this process
 * ends, even by SIGKILL, the system closes the pipe, and the keeper ends the server.
 */
export function startGuardedServer(order: KeeperTask): GuardedServer {
  const { program } = order.server
  const keeper = spawnKeeper(order)
  const state = follow(keeper)
  const stop = async () => {
    keeper.stdin.end()
    const killTimer = setTimeout(() => keeper.kill('SIGKILL'), stopLimit)
    await state.ended
    clearTimeout(killTimer)
    if (keeper.signalCode === 'SIGKILL') throw new Error(`${program} could not be stopped`)
  }
  return {
    async waitUntilReady(ask) {
      try {
        await until(`the start of ${program}`, startLimit, async () => {
          if (state.hasEnded) throw new Error(`${program} did not start: ${state.log}`)
          return ask().catch(() => undefined)
        })
      } catch (error) {
        await stop()
        throw error
      }
    },
    stop,
    restart: (afterMs) => void keeper.stdin.write(String(afterMs)),
    freeze() {
      const frozen =
        state.serverPid === undefined
          ? []
          : [state.serverPid, ...descendants(state.serverPid).map(({ id }) => id)]
      const sendToAll = (signal: NodeJS.Signals) => {
        for (const id of frozen) {
          try {
            process.kill(id, signal)
          } catch {
            // The process has ended.
          }
        }
      }
      sendToAll('SIGSTOP')
      return () => sendToAll('SIGCONT')
    },
    signal(signal) {
      if (state.serverPid === undefined || state.hasEnded) return
      try {
        process.kill(state.serverPid, signal)
      } catch {
        // The server ended by itself, and the keeper has not reported it yet.
      }
    },
  }
}

// Must be longer than the time that the keeper gives a server to end.
const stopLimit = 20_000
const startLimit = 60_000

function spawnKeeper(order: KeeperTask) {
  const keeperPath = fileURLToPath(new URL('./keeper.ts', import.meta.url))
  // Detached, so that a signal to this process group does not end the keeper before it has cleaned up.
  return spawn(process.execPath, [keeperPath, JSON.stringify(order)], {
    detached: true,
    stdio: 'pipe',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
}

interface KeeperState {
  serverPid: number | undefined
  log: string
  hasEnded: boolean
  ended: Promise<void>
}

function follow(keeper: ReturnType<typeof spawnKeeper>) {
  const end = (error?: unknown) => {
    state.hasEnded = true
    if (error instanceof Error) state.log = error.message
  }
  const ended = once(keeper, 'close').then(() => end(), end)
  const state: KeeperState = { serverPid: undefined, log: '', hasEnded: false, ended }
  keeper.stdout.setEncoding('utf8').on('data', (text: string) => {
    state.serverPid = Number(text.trim().split('\n').at(-1))
  })
  keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
    state.log = (state.log + text).slice(-8000)
  })
  // A keeper that has ended cannot receive a request to stop. Its exit reports the error.
  keeper.stdin.on('error', () => {})
  return state
}
