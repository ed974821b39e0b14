import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isatty } from 'node:tty'

const outputKept = 64 * 1024
const stopSignals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Runs a program out of sight and keeps the end of what it says, for the case that it fails.
 * @param {string} file
 * @param {string[]} args
 * @param {{ folder?: string, environment: NodeJS.ProcessEnv, limit: number }} options limit in milliseconds
 * @returns {Promise<{ code: number, output: string, overdue: boolean }>}
 */
export function runQuietly(file, args, { folder, environment, limit }) {
  return new Promise((resolve) => {
    // A group of its own, so that whatever the program started ends together with it.
    const child = spawn(file, args, {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    let overdue = false
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-outputKept)
      })
    }
    const timer = setTimeout(() => {
      overdue = true
      endGroup(child.pid)
    }, limit)
    const release = onStopSignals((signal) => {
      endGroup(child.pid)
      child.once('exit', () => process.exit(128 + constants.signals[signal]))
    })
    /** @param {number} code */
    const finish = (code) => {
      clearTimeout(timer)
      release()
      resolve({ code, output, overdue })
    }
    child.on('error', (error) => {
      output += error.message
      finish(127)
    })
    child.on('exit', (code, signal) => {
      // A daemon left behind may hold the pipes open for ever: what it says does not matter any more.
      const grace = setTimeout(() => finish(exitCode(code, signal)), 500)
      child.on('close', () => {
        clearTimeout(grace)
        finish(exitCode(code, signal))
      })
    })
  })
}

/**
 * Runs a program in our place: its input and output are ours, signals sent to us are meant for it.
 * @param {string} file
 * @param {string[]} args
 * @param {{ folder: string, environment: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} its exit code
 */
export function runInForeground(file, args, { folder, environment }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: folder, env: environment, stdio: 'inherit' })
    // A terminal sends Ctrl-C to the child as well; a second one from us would read as "stop at once".
    const terminal = isatty(0)
    const release = onStopSignals((signal) => {
      if (signal !== 'SIGINT' || !terminal) child.kill(signal)
    })
    // The service notices the end of this process, and stays if it was started by nohup.
    const unwatch = onNpmEnd(environment, () => process.exit(1))
    child.on('error', (error) => {
      release()
      unwatch()
      reject(error)
    })
    child.on('exit', (code, signal) => {
      release()
      unwatch()
      resolve(exitCode(code, signal))
    })
  })
}

const startingParent = process.ppid

/**
 * True if the npm that started this command has been killed; the command then has to end too.
 * @param {NodeJS.ProcessEnv} environment
 */
export function isNpmGone(environment) {
  return environment.npm_lifecycle_event === 'start' && process.ppid !== startingParent
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {() => void} listener
 */
function onNpmEnd(environment, listener) {
  const timer = setInterval(() => {
    if (!isNpmGone(environment)) return
    clearInterval(timer)
    listener()
  }, 500)
  return () => clearInterval(timer)
}

/** @param {(signal: typeof stopSignals[number]) => void} listener */
function onStopSignals(listener) {
  for (const signal of stopSignals) process.on(signal, listener)
  return () => {
    for (const signal of stopSignals) process.off(signal, listener)
  }
}

/** @param {number | undefined} pid */
function endGroup(pid) {
  if (pid === undefined) return
  killGroup(pid, 'SIGTERM')
  setTimeout(() => killGroup(pid, 'SIGKILL'), 5000).unref()
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal)
  } catch {
    // Gone already.
  }
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function exitCode(code, signal) {
  return code ?? (signal ? 128 + constants.signals[signal] : 1)
}
