// Runs untrusted code in this process, one call after the other, so that variables persist between calls. A call is a
// line `NONCE LENGTH` and LENGTH bytes of code. The response is a line of JSON that repeats the nonce.
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

const maxResultLength = 1024 * 1024
const [, , descriptor, token] = process.argv
const control = new Socket({ fd: Number(descriptor) })
// Captured before any call, because code may replace globals, and could otherwise forge its own response.
const { stringify } = JSON
const { exit } = process
const session = new Session()
session.connect()

// Writes are synchronous. Otherwise, code that ends the process would lose its last output, and code that writes
// endlessly would fill the memory.
for (const stream of [process.stdout, process.stderr]) stream._handle.setBlocking(true)
// This console replaces the one of Node, which copies every line for a debugger.
globalThis.console = new Console(process.stdout, process.stderr)
globalThis.require = createRequire('/tmp/')
Object.defineProperty(globalThis, Symbol.for('winnow.import'), { value: importPackage })

let callCount = 0
/** Call that code belongs to, even if the code runs on after its end. Its late errors then do not fail a later call. */
const callContext = new AsyncLocalStorage()
let currentCall = { errorCount: 0 }
const recordError = (error) => {
  const call = callContext.getStore() ?? currentCall
  call.errorCount += 1
  printError(error)
}
process.on('unhandledRejection', recordError)
process.on('uncaughtException', recordError)

const holder = { value: undefined }
const holderId = await getObjectId(holder)
await attach().catch(() => {
  // The first call requests the page again and can report the error.
})
sendResponse({ ready: true })
await readRequests(control, token, async ({ nonce, code }) => sendResponse({ nonce, ...(await run(code)) }))
exit(0)

async function run(code) {
  currentCall = { errorCount: 0 }
  process.exitCode = undefined
  let result = null
  try {
    await attach()
    result = await callContext.run(currentCall, evaluate, code)
  } catch (error) {
    recordError(error)
  }
  // Unhandled rejections are reported at the end of the current turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  const ownExitCode = Number(process.exitCode ?? 0)
  const text = result === null ? null : result.slice(0, maxResultLength)
  return {
    exitCode: currentCall.errorCount > 0 ? 1 : ownExitCode,
    result: text,
    isTruncated: text !== result,
  }
}

/** Evaluates code like the console of a debugger: `await` is allowed anywhere, and variables may be declared again. */
async function evaluate(code) {
  callCount += 1
  const fileName = `call-${callCount}.js`
  const { source, hasResult } = readable(code)
  const { result, exceptionDetails } = await post('Runtime.evaluate', {
    expression: `${source}\n//# sourceURL=${fileName}`,
    replMode: true,
    awaitPromise: true,
    objectGroup: 'call',
  })
  const value = await resolveValue(exceptionDetails?.exception ?? result)
  if (!exceptionDetails) return hasResult ? toText(await value) : null
  if (
    value instanceof SyntaxError &&
    exceptionDetails.lineNumber !== undefined &&
    !exceptionDetails.stackTrace
  ) {
    value.stack = `${formatLocation(code, fileName, exceptionDetails)}\n${value}`
  }
  throw value
}

/** Returns the value that a remote object of the debugger protocol describes. */
async function resolveValue(description) {
  const { objectId, unserializableValue, value } = description
  if (objectId === undefined && unserializableValue === undefined) return value
  const argument = objectId === undefined ? { unserializableValue } : { objectId }
  const functionDeclaration = 'function (value) { this.value = value }'
  await post('Runtime.callFunctionOn', { objectId: holderId, functionDeclaration, arguments: [argument] })
  // Releases the object, which the debugger would otherwise keep in memory for inspection.
  await post('Runtime.releaseObjectGroup', { objectGroup: 'call' })
  const resolved = holder.value
  holder.value = undefined
  return resolved
}

async function getObjectId(object) {
  globalThis.keep = object
  const { result } = await post('Runtime.evaluate', { expression: 'keep' })
  delete globalThis.keep
  return result.objectId
}

function post(method, parameters) {
  return new Promise((resolve, reject) => {
    session.post(method, parameters, (error, response) => (error ? reject(error) : resolve(response)))
  })
}

function toText(value) {
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

function formatLocation(code, fileName, { lineNumber, columnNumber }) {
  const lines = code.split('\n')
  // For code that ends too early, V8 reports a position in the line that was appended.
  const line = lines[lineNumber] ?? lines.at(-1)
  const column = lineNumber < lines.length ? columnNumber : line.length
  const location = `${fileName}:${Math.min(lineNumber + 1, lines.length)}`
  return `${location}\n${line.slice(0, 200)}\n${' '.repeat(Math.min(column, 200))}^`
}

function printError(error) {
  process.stderr.write(`${types.isNativeError(error) ? formatError(error) : `Uncaught ${inspect(error)}`}\n`)
}

/** Returns the stack of an error without the frames of the debugger and of this service, which do not help the user. */
function formatError(error, depth = 0) {
  const stack = typeof error.stack === 'string' ? error.stack : inspect(error)
  const internalFrame =
    /^ +at (.*\/run\/winnow\/code\/|AsyncLocalStorage\.run|Session\.post|new Promise \(<|process\.processTicks)/
  const lines = stack.split('\n').filter((line) => !internalFrame.test(line))
  const causes = depth < 4 ? [error.cause, ...(Array.isArray(error.errors) ? error.errors : [])] : []
  for (const cause of causes) {
    if (types.isNativeError(cause)) lines.push(`caused by ${formatError(cause, depth + 1)}`)
  }
  return lines.join('\n')
}

/** Imports a package, also from the folders that only `require` searches. */
async function importPackage(name, options) {
  try {
    return await import(name, options)
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    const namespace = await import(pathToFileURL(createRequire('/tmp/').resolve(name)).href, options)
    return { ...namespace.default, ...namespace }
  }
}

function sendResponse(message) {
  // The message starts on a new line, because code may have written to the channel.
  control.write(`\n${stringify(message)}\n`)
}
