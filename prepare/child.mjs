import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isatty } from 'node:tty'

const maxOutputLength = 64 * 1024
const stopSignals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Runs a program with captured output, and returns the last part of the output for error messages.
 * @param {string} file
 * @param {string[]} args
 * @param {{ folder?: string, environment: NodeJS.ProcessEnv, limit: number }} options limit in milliseconds
 * @returns {Promise<{ code: number, output: string, hasTimedOut: boolean }>}
 */
export function runQuietly(file, args, { folder, environment, limit }) {
  return new Promise((resolve) => {
    // A separate process group, so that processes that the program starts can be killed together with it.
    const child = spawn(file, args, {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    let hasTimedOut = false
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-maxOutputLength)
      })
    }
    const timer = setTimeout(() => {
      hasTimedOut = true
      stopGroup(child.pid)
    }, limit)
    const release = onStopSignals((signal) => {
      stopGroup(child.pid)
      child.once('exit', () => process.exit(128 + constants.signals[signal]))
    })
    /** @param {number} code */
    const finish = (code) => {
      clearTimeout(timer)
      release()
      resolve({ code, output, hasTimedOut })
    }
    child.on('error', (error) => {
      output += error.message
      finish(127)
    })
    child.on('exit', (code, signal) => {
      // A daemon that the program started may keep the pipes open forever. Its output is not needed.
      const grace = setTimeout(() => finish(toExitCode(code, signal)), 500)
      child.on('close', () => {
        clearTimeout(grace)
        finish(toExitCode(code, signal))
      })
    })
  })
}

/**
 * Runs a program that inherits stdin, stdout and stderr of this process, and forwards signals to it.
 * @param {string} file
 * @param {string[]} args
 * @param {{ folder: string, environment: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} its exit code
 */
export function runInForeground(file, args, { folder, environment }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: folder, env: environment, stdio: 'inherit' })
    // A terminal also sends Ctrl-C to the child. A second SIGINT from this process would mean an immediate stop.
    const terminal = isatty(0)
    const release = onStopSignals((signal) => {
      if (signal !== 'SIGINT' || !terminal) child.kill(signal)
    })
    // The service detects the end of this process, and continues to run if nohup started it.
    const unwatch = watchNpm(environment, () => process.exit(1))
    child.on('error', (error) => {
      release()
      unwatch()
      reject(error)
    })
    child.on('exit', (code, signal) => {
      release()
      unwatch()
      resolve(toExitCode(code, signal))
    })
  })
}

const startingParent = process.ppid

/**
 * Returns true if the npm that started this command was killed; the command must then end, too.
 * @param {NodeJS.ProcessEnv} environment
 */
export function hasNpmEnded(environment) {
  return environment.npm_lifecycle_event === 'start' && process.ppid !== startingParent
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {() => void} listener
 */
function watchNpm(environment, listener) {
  const timer = setInterval(() => {
    if (!hasNpmEnded(environment)) return
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
function stopGroup(pid) {
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
    // The group has already ended.
  }
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function toExitCode(code, signal) {
  return code ?? (signal ? 128 + constants.signals[signal] : 1)
}
