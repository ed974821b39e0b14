import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../../platform/log.ts'
import type { Exceeded, Sandbox, SandboxEnd, SandboxedProcess } from '../../platform/ports/sandbox.ts'
import { type Message, messageIn, onLines, type Patience, patience } from './messages.ts'
import { type Output, output } from './output.ts'
import { type CodeLimits, type CodePrograms, codeProgram } from './programs.ts'

const languages = ['node', 'python', 'bash'] as const

export type Language = (typeof languages)[number]

/** Reason why code is ended. `messages`: it wrote too much to the response channel of its runner. */
export type CodeExcess = Exceeded | { limit: 'output' | 'messages'; max: number }

/** End of a call: with a response of its runner, with the end of the runner, or with the end of the sandbox. */
export type Ending =
  | { by: 'answer'; exitCode: number; result: string | null; isTruncated: boolean }
  | { by: 'runner'; exitCode: number }
  | { by: 'sandbox'; exceeded?: CodeExcess }

export interface CodeSandboxDeps {
  sandbox: Sandbox
  /** Serves the connections that code makes to the session's browser. */
  connections: (socket: Socket) => void
  programs: CodePrograms
  limits: CodeLimits
  log: Log
}

export interface CodeSandbox {
  ended: Promise<SandboxEnd>
  /** Resolves when the runner of a language accepts calls, to undefined; otherwise to the reason why it does not. */
  ready(language: Language): Promise<Ending | undefined>
  call(language: Language, code: string): Promise<Ending>
  /** Resolves when all output of the call has been read. */
  settle(language: Language): Promise<void>
  output(language: Language): { stdout: Output; stderr: Output }
  kill(): Promise<void>
}

const debuggerPort = 9222
const maxErrorLines = 20

/** Starts one sandbox for all languages of a session. They share its files, and end together. */
export async function startCodeSandbox(deps: CodeSandboxDeps): Promise<CodeSandbox> {
  const { sandbox, connections, programs, limits, log } = deps
  const process = await sandbox.start({
    ...codeProgram(programs, limits),
    channels: channelCount,
    ports: [{ port: debuggerPort, maxConnections: limits.connections, onConnection: connections }],
  })
  let excess: CodeExcess | undefined
  const flood = (exceeded: CodeExcess) => {
    excess ??= exceeded
    void process.kill()
  }
  process.stdout.resume()
  onLines(process.stderr, 10_000, {
    heard: (line) => log.warn({ line }, 'the supervisor of a code sandbox reported an error'),
    patience: patience({ bytes: maxResponseBytes, lines: maxErrorLines }, () => {}),
  })
  const runners = new Map(
    languages.map((language) => [language, createLanguageRunner(process, language, { limits, flood })]),
  )
  // The map contains every language.
  const getRunner = (language: Language) => runners.get(language) as LanguageRunner
  const supervisor = getChannel(process, 0)
  // The supervisor reports when the process of a language has ended.
  onLines(supervisor, 1000, {
    heard(line) {
      const [, language, code] = /^ended (\w+) (\d+)$/.exec(line) ?? []
      const endedLanguage = languages.find((name) => name === language)
      if (endedLanguage === undefined) return
      getRunner(endedLanguage).state = 'none'
      getRunner(endedLanguage).gone({ by: 'runner', exitCode: Number(code) })
    },
  })
  process.ended.then(({ exceeded = excess }) => {
    for (const { gone } of runners.values()) gone({ by: 'sandbox', ...(exceeded ? { exceeded } : {}) })
  })
  return {
    ended: process.ended,
    kill: process.kill,
    output: getRunner,
    ready: (language) => startRunner(getRunner(language), supervisor),
    call: (language, code) => callRunner(getRunner(language), code),
    settle: (language) => settleRunner(getRunner(language), supervisor),
  }
}

/** State of the process that runs one language in a sandbox. */
interface LanguageRunner {
  language: Language
  state: 'none' | 'starting' | 'ready'
  /** Channel for its calls and responses. */
  calls: Duplex
  stdout: Output
  stderr: Output
  patience: Patience
  heard(message: Message): void
  gone(ending: Ending): void
}

/** Number of channels: one to the supervisor, and three to each language. */
const channelCount = 1 + 3 * languages.length
const getFirstChannel = (language: Language) => 1 + 3 * languages.indexOf(language)

const maxOutputBytes = 1024 * 1024
/** Maximum size of a response: the longest result, with every character escaped in JSON. */
const maxResponseBytes = 8 * 1024 * 1024
/** Limits of the response channel. A runner writes one line per call; further lines are forged by code. */
const responseLimits = { bytes: 64 * 1024 * 1024, lines: 1000 }

function createLanguageRunner(
  process: SandboxedProcess,
  language: Language,
  { limits, flood }: { limits: CodeLimits; flood(exceeded: CodeExcess): void },
): LanguageRunner {
  const firstChannel = getFirstChannel(language)
  const outputLimits = {
    kept: maxOutputBytes,
    read: limits.outputMegabytes * 1024 * 1024,
    onFlood: () => flood({ limit: 'output', max: limits.outputMegabytes }),
  }
  const runner: LanguageRunner = {
    language,
    state: 'none',
    calls: getChannel(process, firstChannel),
    stdout: output(getChannel(process, firstChannel + 1), outputLimits),
    stderr: output(getChannel(process, firstChannel + 2), outputLimits),
    patience: patience(responseLimits, () => flood({ limit: 'messages', max: responseLimits.lines })),
    heard() {},
    gone() {},
  }
  onLines(runner.calls, maxResponseBytes, {
    heard(line) {
      const message = messageIn(line)
      if (message) runner.heard(message)
    },
    patience: runner.patience,
  })
  return runner
}

/** Resolves when the runner accepts calls, to undefined; otherwise to the reason why it does not. */
function startRunner(runner: LanguageRunner, supervisor: Duplex): Promise<Ending | undefined> {
  const { promise, resolve } = Promise.withResolvers<Ending | undefined>()
  if (runner.state === 'ready') return Promise.resolve(undefined)
  runner.state = 'starting'
  runner.patience.renew()
  runner.heard = ({ isReady }) => {
    if (!isReady) return
    runner.state = 'ready'
    resolve(undefined)
  }
  runner.gone = resolve
  const token = createToken()
  const firstChannel = getFirstChannel(runner.language)
  const descriptors = [3, 4, 5].map((offset) => firstChannel + offset)
  supervisor.write(`start ${runner.language} ${token} ${descriptors.join(' ')}\n`)
  runner.calls.write(`\n${token}\n`)
  return promise
}

function callRunner(runner: LanguageRunner, code: string): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const nonce = createToken()
  runner.patience.renew()
  runner.heard = (message) => {
    if (message.nonce === nonce) resolve({ by: 'answer', ...message })
  }
  runner.gone = resolve
  const bytes = Buffer.from(code)
  runner.calls.write(`${nonce} ${bytes.length}\n`)
  runner.calls.write(bytes)
  return promise
}

/** Resolves when all output of the call has been read. */
async function settleRunner(runner: LanguageRunner, supervisor: Duplex): Promise<void> {
  const { language, stdout, stderr } = runner
  const token = createToken()
  const outputsRead = Promise.all([stdout.endsAt(token), stderr.endsAt(token)])
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
