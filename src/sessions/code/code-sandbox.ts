import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../../platform/log.ts'
import type { Exceeded, Sandbox, SandboxedProcess } from '../../platform/ports/sandbox.ts'
import { createDataLimit, type DataLimit, type Message, onLines, parseMessage } from './messages.ts'
import { createOutput, type Output } from './output.ts'
import { type CodeLimits, type CodePrograms, codeProgram } from './programs.ts'

const languages = ['node', 'python', 'bash'] as const

export type Language = (typeof languages)[number]

/** `messages`: the code wrote too much to the response channel of its runner. */
export type CodeExcess = Exceeded | { limit: 'output' | 'messages'; max: number }

export type CallEnd =
  | { by: 'answer'; exitCode: number; result: string | null; isTruncated: boolean }
  | { by: 'runner'; exitCode: number }
  | { by: 'sandbox'; exceeded?: CodeExcess }

export interface CodeSandboxDeps {
  sandbox: Sandbox
  connections: (socket: Socket) => void
  programs: CodePrograms
  limits: CodeLimits
  log: Log
}

export type CodeSandbox = Awaited<ReturnType<typeof startCodeSandbox>>

const debuggerPort = 9222
const maxErrorLines = 20

/** Starts one sandbox for all languages of a session. The languages share its files and end together. */
export async function startCodeSandbox(deps: CodeSandboxDeps) {
  const { sandbox, connections, programs, limits, log } = deps
  const process = await sandbox.start({
    ...codeProgram(programs, limits),
    channels: channelCount,
    ports: [{ port: debuggerPort, maxConnections: limits.connections, onConnection: connections }],
  })
  let excess: CodeExcess | undefined
  const onExceeded = (exceeded: CodeExcess) => {
    excess ??= exceeded
    void process.kill()
  }
  process.stdout.resume()
  onLines(process.stderr, 10_000, {
    onLine: (line) => log.warn({ line }, 'the supervisor of a code sandbox reported an error'),
    dataLimit: createDataLimit({ bytes: maxResponseBytes, lines: maxErrorLines }, () => {}),
  })
  const runners = new Map(
    languages.map((language) => [language, createLanguageRunner(process, language, { limits, onExceeded })]),
  )
  const getRunner = (language: Language) => runners.get(language) as LanguageRunner
  const supervisor = getChannel(process, 0)
  onLines(supervisor, 1000, {
    onLine(line) {
      const [, language, code] = /^ended (\w+) (\d+)$/.exec(line) ?? []
      const endedLanguage = languages.find((name) => name === language)
      if (endedLanguage === undefined) return
      getRunner(endedLanguage).state = 'none'
      getRunner(endedLanguage).onEnd({ by: 'runner', exitCode: Number(code) })
    },
  })
  process.ended.then(({ exceeded = excess }) => {
    for (const { onEnd } of runners.values()) onEnd({ by: 'sandbox', ...(exceeded ? { exceeded } : {}) })
  })
  return {
    ended: process.ended,
    kill: process.kill,
    output: (language: Language): { stdout: Output; stderr: Output } => getRunner(language),
    ready: (language: Language) => startRunner(getRunner(language), supervisor),
    call: (language: Language, code: string) => callRunner(getRunner(language), code),
    settle: (language: Language) => settleRunner(getRunner(language), supervisor),
  }
}

interface LanguageRunner {
  language: Language
  state: 'none' | 'starting' | 'ready'
  calls: Duplex
  stdout: Output
  stderr: Output
  dataLimit: DataLimit
  onMessage(message: Message): void
  onEnd(end: CallEnd): void
}

const channelCount = 1 + 3 * languages.length
const getFirstChannel = (language: Language) => 1 + 3 * languages.indexOf(language)

const maxOutputBytes = 1024 * 1024
/** The longest result, with every character escaped in JSON. */
const maxResponseBytes = 8 * 1024 * 1024
/** A runner writes one line per call; further lines are written by code. */
const responseLimits = { bytes: 64 * 1024 * 1024, lines: 1000 }

function createLanguageRunner(
  process: SandboxedProcess,
  language: Language,
  { limits, onExceeded }: { limits: CodeLimits; onExceeded(exceeded: CodeExcess): void },
): LanguageRunner {
  const firstChannel = getFirstChannel(language)
  const outputLimits = {
    maxStoredBytes: maxOutputBytes,
    maxReadBytes: limits.outputMegabytes * 1024 * 1024,
    onFlood: () => onExceeded({ limit: 'output', max: limits.outputMegabytes }),
  }
  const runner: LanguageRunner = {
    language,
    state: 'none',
    calls: getChannel(process, firstChannel),
    stdout: createOutput(getChannel(process, firstChannel + 1), outputLimits),
    stderr: createOutput(getChannel(process, firstChannel + 2), outputLimits),
    dataLimit: createDataLimit(responseLimits, () =>
      onExceeded({ limit: 'messages', max: responseLimits.lines }),
    ),
    onMessage() {},
    onEnd() {},
  }
  onLines(runner.calls, maxResponseBytes, {
    onLine(line) {
      const message = parseMessage(line)
      if (message) runner.onMessage(message)
    },
    dataLimit: runner.dataLimit,
  })
  return runner
}

function startRunner(runner: LanguageRunner, supervisor: Duplex): Promise<CallEnd | undefined> {
  const { promise, resolve } = Promise.withResolvers<CallEnd | undefined>()
  if (runner.state === 'ready') return Promise.resolve(undefined)
  runner.state = 'starting'
  runner.dataLimit.reset()
  runner.onMessage = ({ isReady }) => {
    if (!isReady) return
    runner.state = 'ready'
    resolve(undefined)
  }
  runner.onEnd = resolve
  const token = createToken()
  const firstChannel = getFirstChannel(runner.language)
  const descriptors = [3, 4, 5].map((offset) => firstChannel + offset)
  supervisor.write(`start ${runner.language} ${token} ${descriptors.join(' ')}\n`)
  runner.calls.write(`\n${token}\n`)
  return promise
}

function callRunner(runner: LanguageRunner, code: string): Promise<CallEnd> {
  const { promise, resolve } = Promise.withResolvers<CallEnd>()
  const nonce = createToken()
  runner.dataLimit.reset()
  runner.onMessage = (message) => {
    if (message.nonce === nonce) resolve({ by: 'answer', ...message })
  }
  runner.onEnd = resolve
  const bytes = Buffer.from(code)
  runner.calls.write(`${nonce} ${bytes.length}\n`)
  runner.calls.write(bytes)
  return promise
}

async function settleRunner(runner: LanguageRunner, supervisor: Duplex): Promise<void> {
  const { language, stdout, stderr } = runner
  const token = createToken()
  const outputsRead = Promise.all([stdout.waitForMarker(token), stderr.waitForMarker(token)])
  supervisor.write(`mark ${language} ${token}\n`)
  await outputsRead
}

function getChannel(process: SandboxedProcess, index: number): Duplex {
  const found = process.channels[index]
  if (!found) throw new Error(`the sandbox has no channel ${index}`)
  return found
}

/** Returns a random token. Code cannot guess it, so it cannot forge a response. */
const createToken = () => randomBytes(16).toString('hex')
