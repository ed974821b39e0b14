// Runs untrusted code in this process, one order after the other, so that variables persist between calls.
// An order is a line `NONCE LENGTH` and that many bytes of code; the answer is a line of JSON that repeats the nonce.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Console } from 'node:console'
import { Session } from 'node:inspector'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import { inspect, types } from 'node:util'
import { readRequests } from './orders.mjs'
import { readable } from './readable.mjs'
import { attach } from './session-page.mjs'

const maxResult = 1024 * 1024
const [, , descriptor, word] = process.argv
const control = new Socket({ fd: Number(descriptor) })
// Captured now: the code of a call may replace globals, and could otherwise forge its own answer.
const { stringify } = JSON
const { exit } = process
const session = new Session()
session.connect()

// Synchronous writes: code that ends the process would otherwise lose its last output, and
// code that writes endlessly would fill the memory.
for (const stream of [process.stdout, process.stderr]) stream._handle.setBlocking(true)
// Without the copy of every line that Node's own console makes for a debugger.
globalThis.console = new Console(process.stdout, process.stderr)
globalThis.require = createRequire('/tmp/')
Object.defineProperty(globalThis, Symbol.for('winnow.import'), { value: load })

let calls = 0
/** The call that code belongs to, also if it continues after the end of the call, so that it cannot make a later call fail. */
const calling = new AsyncLocalStorage()
let current = { strays: 0 }
const stray = (error) => {
  const call = calling.getStore() ?? current
  call.strays += 1
  complain(error)
}
process.on('unhandledRejection', stray)
process.on('uncaughtException', stray)

const keep = { value: undefined }
const keeper = await keeperOf(keep)
await attach().catch(() => {
  // The first call requests the page again and can report the error.
})
answer({ ready: true })
await readRequests(control, word, async ({ nonce, code }) => answer({ nonce, ...(await run(code)) }))
exit(0)

async function run(code) {
  current = { strays: 0 }
  process.exitCode = undefined
  let result = null
  try {
    await attach()
    result = await calling.run(current, evaluate, code)
  } catch (error) {
    stray(error)
  }
  // Unhandled rejections are reported at the end of the current turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  const own = Number(process.exitCode ?? 0)
  const text = result === null ? null : result.slice(0, maxResult)
  return { exitCode: current.strays > 0 ? 1 : own, result: text, isTruncated: text !== result }
}

/** Like the console of a debugger: `await` anywhere, variables persist and may be declared again. */
async function evaluate(code) {
  calls += 1
  const name = `call-${calls}.js`
  const { source, hasResult } = readable(code)
  const { result, exceptionDetails } = await post('Runtime.evaluate', {
    expression: `${source}\n//# sourceURL=${name}`,
    replMode: true,
    awaitPromise: true,
    objectGroup: 'call',
  })
  const value = await describedBy(exceptionDetails?.exception ?? result)
  if (!exceptionDetails) return hasResult ? textOf(await value) : null
  if (
    value instanceof SyntaxError &&
    exceptionDetails.lineNumber !== undefined &&
    !exceptionDetails.stackTrace
  ) {
    value.stack = `${placeOf(code, name, exceptionDetails)}\n${value}`
  }
  throw value
}

/** The value itself of what the debugger describes. */
async function describedBy(description) {
  const { objectId, unserializableValue, value } = description
  if (objectId === undefined && unserializableValue === undefined) return value
  const given = objectId === undefined ? { unserializableValue } : { objectId }
  const functionDeclaration = 'function (value) { this.value = value }'
  await post('Runtime.callFunctionOn', { objectId: keeper, functionDeclaration, arguments: [given] })
  // The debugger would otherwise keep it alive for inspection.
  await post('Runtime.releaseObjectGroup', { objectGroup: 'call' })
  const kept = keep.value
  keep.value = undefined
  return kept
}

async function keeperOf(object) {
  globalThis.keep = object
  const { result } = await post('Runtime.evaluate', { expression: 'keep' })
  delete globalThis.keep
  return result.objectId
}

function post(method, parameters) {
  return new Promise((resolve, reject) => {
    session.post(method, parameters, (error, answered) => (error ? reject(error) : resolve(answered)))
  })
}

function textOf(value) {
  if (value === undefined || value === null) return null
  const hasText = typeof value !== 'object' && typeof value !== 'function'
  if (hasText) return String(value)
  const isPlain = !types.isMap(value) && !types.isSet(value) && !types.isNativeError(value)
  try {
    return (isPlain ? stringify(value) : undefined) ?? inspect(value)
  } catch {
    return inspect(value)
  }
}

function placeOf(code, name, { lineNumber, columnNumber }) {
  const lines = code.split('\n')
  // If something is missing at the end, the engine reports a position in the code that was appended.
  const line = lines[lineNumber] ?? lines.at(-1)
  const column = lineNumber < lines.length ? columnNumber : line.length
  const place = `${name}:${Math.min(lineNumber + 1, lines.length)}`
  return `${place}\n${line.slice(0, 200)}\n${' '.repeat(Math.min(column, 200))}^`
}

function complain(error) {
  process.stderr.write(`${types.isNativeError(error) ? told(error) : `Uncaught ${inspect(error)}`}\n`)
}

/** Its stack without the frames of the debugger and of our files, which do not help the reader. */
function told(error, depth = 0) {
  const stack = typeof error.stack === 'string' ? error.stack : inspect(error)
  const ours =
    /^ +at (.*\/run\/winnow\/code\/|AsyncLocalStorage\.run|Session\.post|new Promise \(<|process\.processTicks)/
  const lines = stack.split('\n').filter((line) => !ours.test(line))
  const reasons = depth < 4 ? [error.cause, ...(Array.isArray(error.errors) ? error.errors : [])] : []
  for (const reason of reasons) {
    if (types.isNativeError(reason)) lines.push(`caused by ${told(reason, depth + 1)}`)
  }
  return lines.join('\n')
}

/** Packages are found where `require` finds them. */
async function load(name, options) {
  try {
    return await import(name, options)
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    const found = await import(pathToFileURL(createRequire('/tmp/').resolve(name)).href, options)
    return { ...found.default, ...found }
  }
}

function answer(message) {
  // On a separate line, whatever else was written to the channel.
  control.write(`\n${stringify(message)}\n`)
}
