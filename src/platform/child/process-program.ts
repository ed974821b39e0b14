import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, rm } from 'node:fs'
import { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createTemporaryFolderSync } from '../temporary-files.ts'
import type { ChildProgram } from './child.ts'
import { openFrames, parentDescriptor } from './frames.ts'

export interface ProcessOptions {
  name: string
  script: URL
  megabytes: number
  /** Complete environment: a program that reads untrusted input must not have the secrets of the service. */
  environment: Record<string, string>
  maxRequestBytes: number
  maxReplyBytes: number
}

export function processProgram(options: ProcessOptions): ChildProgram {
  const title = `${options.name} process`
  return {
    title,
    start({ received, ended }) {
      const started = startProcess(options)
      const { process: child, socket } = started
      const frames = openFrames(socket, {
        maxSentBytes: options.maxRequestBytes,
        maxReceivedBytes: options.maxReplyBytes,
        onValue: received,
        onViolation: ({ message }) => ended('size', message),
      })
      const onExit = () => ended('ended', `The ${title} has ended.`)
      // The connection closes after the last reply was read; the exit event may be emitted before that.
      socket.once('close', onExit)
      child.once('error', onExit)
      return {
        send: frames.send,
        setKeepAlive: (isBusy) => void (isBusy ? socket.ref() : socket.unref()),
        kill: async () => killProcess(started),
      }
    },
  }
}

interface StartedProcess {
  process: ChildProcess
  socket: Socket
}

/** Memory that the runtime maps at its start. Most of it is never used, but the limit counts it. */
const runtimeMegabytes = 640
const findTool = (name: string) => [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path))
const prlimitPath = findTool('prlimit')
const setprivPath = findTool('setpriv')

function startProcess({ name, script, megabytes, environment }: ProcessOptions): StartedProcess {
  const heapMegabytes = Math.floor(megabytes / 2)
  const node = [process.execPath, `--max-old-space-size=${heapMegabytes}`, '--max-semi-space-size=4']
  // The limit counts data memory, so that it applies to native libraries as well.
  const limitCommand = prlimitPath
    ? [prlimitPath, `--data=${(megabytes + runtimeMegabytes) * 1024 * 1024}`, '--core=0']
    : []
  // The kernel kills the process after its parent, because a process that is blocked in a library cannot do so.
  const parentDeathCommand = setprivPath ? [setprivPath, '--pdeathsig', 'KILL'] : []
  const [program = '', ...args] = [...parentDeathCommand, ...limitCommand, ...node, fileURLToPath(script)]
  // A killed process does not remove its files, so the folder is removed after its exit.
  const folder = createTemporaryFolderSync(name)
  const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 3 }, () => {})
  const child = spawn(program, args, {
    env: { ...environment, TMPDIR: folder },
    // The process has its own process group, so that programs that it starts end with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  lowerPriority(child)
  child.once('exit', removeFolder).on('error', removeFolder)
  // Node creates no streams if this process has no free file descriptors.
  const socket = child.stdio?.[parentDescriptor]
  if (!(socket instanceof Socket)) {
    removeFolder()
    throw new Error(`The ${name} process could not be started.`)
  }
  // A write to a process that has just ended fails; the exit event informs the waiting caller.
  socket.on('error', () => {})
  child.unref()
  socket.unref()
  return { process: child, socket }
}

function killProcess({ process: child }: StartedProcess): void {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** Lowers the priority, because native libraries use entire cores. Programs that the process starts inherit it. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has already ended, which its exit event reports.
  }
}
