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

/** Why code is ended. `messages`: it wrote to the channel of its runner's answers. */
export type CodeExcess = Exceeded | { limit: 'output' | 'messages'; most: number }

/** How a call ended: answered by its runner, or with it, or with the whole sandbox. */
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
  /** Settles when the runner of a language takes orders; undefined when it does, else why it does not. */
  ready(language: Language): Promise<Ending | undefined>
  call(language: Language, code: string): Promise<Ending>
  /** Settles when all that the call has written is read. */
  settle(language: Language): Promise<void>
  output(language: Language): { stdout: Output; stderr: Output }
  kill(): Promise<void>
}

const debuggerPort = 9222
const maxComplaints = 20

/** One sandbox for all languages of a session: they share its files, and it ends as one. */
export async function startCodeSandbox(deps: CodeSandboxDeps): Promise<CodeSandbox> {
  const { sandbox, connections, programs, limits, log } = deps
  const process = await sandbox.start({
    ...codeProgram(programs, limits),
    channels: channelCount,
    ports: [{ port: debuggerPort, mostConnections: limits.connections, onConnection: connections }],
  })
  let excess: CodeExcess | undefined
  const flood = (exceeded: CodeExcess) => {
    excess ??= exceeded
    void process.kill()
  }
  process.stdout.resume()
  onLines(process.stderr, 10_000, {
    heard: (line) => log.warn({ line }, 'the supervisor of a code sandbox reported an error'),
    patience: patience({ bytes: maxAnswer, lines: maxComplaints }, () => {}),
  })
  const runners = new Map(
    languages.map((language) => [language, languageRunner(process, language, { limits, flood })]),
  )
  // The map holds every language.
  const runner = (language: Language) => runners.get(language) as LanguageRunner
  const supervisor = channel(process, 0)
  // The supervisor tells when the process of a language has ended.
  onLines(supervisor, 1000, {
    heard(line) {
      const [, language, code] = /^ended (\w+) (\d+)$/.exec(line) ?? []
      const ended = languages.find((name) => name === language)
      if (ended === undefined) return
      runner(ended).state = 'none'
      runner(ended).gone({ by: 'runner', exitCode: Number(code) })
    },
  })
  process.ended.then(({ exceeded = excess }) => {
    for (const { gone } of runners.values()) gone({ by: 'sandbox', ...(exceeded ? { exceeded } : {}) })
  })
  return {
    ended: process.ended,
    kill: process.kill,
    output: runner,
    ready: (language) => startRunner(runner(language), supervisor),
    call: (language, code) => callRunner(runner(language), code),
    settle: (language) => settleRunner(runner(language), supervisor),
  }
}

/** What runs one language inside of a sandbox. */
interface LanguageRunner {
  language: Language
  state: 'none' | 'starting' | 'ready'
  /** Takes its calls, and answers them. */
  calls: Duplex
  stdout: Output
  stderr: Output
  patience: Patience
  heard(message: Message): void
  gone(ending: Ending): void
}

/** One to the supervisor, and three to each language. */
const channelCount = 1 + 3 * languages.length
const channelsOf = (language: Language) => 1 + 3 * languages.indexOf(language)

const maxOutput = 1024 * 1024
/** The longest result, with every character escaped in JSON. */
const maxAnswer = 8 * 1024 * 1024
/** A runner writes one line per call; further lines are forged by code. */
const maxMentions = { bytes: 64 * 1024 * 1024, lines: 1000 }

function languageRunner(
  process: SandboxedProcess,
  language: Language,
  { limits, flood }: { limits: CodeLimits; flood(exceeded: CodeExcess): void },
): LanguageRunner {
  const first = channelsOf(language)
  const outputLimits = {
    kept: maxOutput,
    read: limits.outputMegabytes * 1024 * 1024,
    onFlood: () => flood({ limit: 'output', most: limits.outputMegabytes }),
  }
  const runner: LanguageRunner = {
    language,
    state: 'none',
    calls: channel(process, first),
    stdout: output(channel(process, first + 1), outputLimits),
    stderr: output(channel(process, first + 2), outputLimits),
    patience: patience(maxMentions, () => flood({ limit: 'messages', most: maxMentions.lines })),
    heard() {},
    gone() {},
  }
  onLines(runner.calls, maxAnswer, {
    heard(line) {
      const message = messageIn(line)
      if (message) runner.heard(message)
    },
    patience: runner.patience,
  })
  return runner
}

/** Settles when the runner takes orders; undefined when it does, else why it does not. */
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
  const word = newWord()
  const first = channelsOf(runner.language)
  const descriptors = [3, 4, 5].map((offset) => first + offset)
  supervisor.write(`start ${runner.language} ${word} ${descriptors.join(' ')}\n`)
  runner.calls.write(`\n${word}\n`)
  return promise
}

function callRunner(runner: LanguageRunner, code: string): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const nonce = newWord()
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

/** Settles when all that the call has written is read. */
async function settleRunner(runner: LanguageRunner, supervisor: Duplex): Promise<void> {
  const { language, stdout, stderr } = runner
  const word = newWord()
  const read = Promise.all([stdout.endsAt(word), stderr.endsAt(word)])
  supervisor.write(`mark ${language} ${word}\n`)
  await read
}

function channel(process: SandboxedProcess, index: number): Duplex {
  const found = process.channels[index]
  if (!found) throw new Error(`the sandbox has no channel ${index}`)
  return found
}

/** Code cannot guess it, so it cannot forge an answer. */
const newWord = () => randomBytes(16).toString('hex')
