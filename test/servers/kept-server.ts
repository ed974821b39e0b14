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

/** What a keeper does: the commands in order, then the server, and in the end the folder goes. */
export interface Order {
  folder: string
  before: Command[]
  server: Command
  stopSignal: NodeJS.Signals
}

export interface KeptServer {
  /** Asks until the server answers. When it ends or the limit passes first, fails with its log and clears up. */
  becomesReady(ask: () => Promise<unknown>): Promise<void>
  /** Ends the server and waits until neither process nor folder is left. */
  stop(): Promise<void>
  /** Ends the server in good order and starts it again on the same folder and port after a while. */
  restart(afterMs: number): void
  /** Makes the server and all its processes stand still, as a machine that hangs would. Answers how to let them go on. */
  freeze(): () => void
  /** Sends a signal to the server itself, at once. */
  signal(signal: NodeJS.Signals): void
}

/**
 * Runs a server as the child of a small keeper process that holds the other end of our pipe.
 * However this process ends, SIGKILL included, the system closes the pipe and the keeper ends the server.
 */
export function keepServer(order: Order): KeptServer {
  const { program } = order.server
  const keeper = spawnKeeper(order)
  const life = follow(keeper)
  const stop = async () => {
    keeper.stdin.end()
    const rescue = setTimeout(() => keeper.kill('SIGKILL'), stopLimit)
    await life.ended
    clearTimeout(rescue)
    if (keeper.signalCode === 'SIGKILL') throw new Error(`${program} could not be stopped`)
  }
  return {
    async becomesReady(ask) {
      try {
        await until(`the start of ${program}`, startLimit, async () => {
          if (life.hasEnded) throw new Error(`${program} did not start: ${life.log}`)
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
        life.serverPid === undefined
          ? []
          : [life.serverPid, ...descendants(life.serverPid).map(({ id }) => id)]
      const tell = (signal: NodeJS.Signals) => {
        for (const id of frozen) {
          try {
            process.kill(id, signal)
          } catch {
            // It has ended meanwhile.
          }
        }
      }
      tell('SIGSTOP')
      return () => tell('SIGCONT')
    },
    signal(signal) {
      if (life.serverPid === undefined || life.hasEnded) return
      try {
        process.kill(life.serverPid, signal)
      } catch {
        // The server ended by itself and the keeper has not told us yet.
      }
    },
  }
}

// Longer than the keeper's own patience with a server that does not end.
const stopLimit = 20_000
const startLimit = 60_000

function spawnKeeper(order: Order) {
  const keeperPath = fileURLToPath(new URL('./keeper.ts', import.meta.url))
  // Detached: a signal to our whole process group must not take the keeper before it has cleaned up.
  return spawn(process.execPath, [keeperPath, JSON.stringify(order)], {
    detached: true,
    stdio: 'pipe',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
}

interface Life {
  serverPid: number | undefined
  log: string
  hasEnded: boolean
  ended: Promise<void>
}

function follow(keeper: ReturnType<typeof spawnKeeper>) {
  const end = (error?: unknown) => {
    life.hasEnded = true
    if (error instanceof Error) life.log = error.message
  }
  const ended = once(keeper, 'close').then(() => end(), end)
  const life: Life = { serverPid: undefined, log: '', hasEnded: false, ended }
  keeper.stdout.setEncoding('utf8').on('data', (text: string) => {
    life.serverPid = Number(text.trim().split('\n').at(-1))
  })
  keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
    life.log = (life.log + text).slice(-8000)
  })
  // A keeper that is gone already cannot receive an order to stop; its exit says all there is to say.
  keeper.stdin.on('error', () => {})
  return life
}
