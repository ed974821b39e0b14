import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Log } from '../../base/log.ts'
import type { Exceeded, Sandbox, SandboxEnd, SandboxedProcess } from '../../ports/sandbox.ts'
import { type Message, messageIn, onLines, type Patience, patience } from './messages.ts'
import { type Output, output } from './output.ts'
import { type CodeLimits, type CodePrograms, codeProgram } from './programs.ts'

export const languages = ['node', 'python', 'bash'] as const

export type Language = (typeof languages)[number]

export interface CodeSandboxNeeds {
  sandbox: Sandbox
  /** Serves the connections that code makes to the session's browser. */
  connections: (socket: Socket) => void
  programs: CodePrograms
  limits: CodeLimits
  log: Log
}

/** What code is ended for. `messages`: it has written to the channel that its runner answers on. */
export type CodeExcess = Exceeded | { limit: 'output' | 'messages'; most: number }

/** How a call ended: answered by its runner, or with it, or with the whole sandbox. */
export type Ending =
  | { by: 'answer'; exitCode: number; result: string | null; isTruncated: boolean }
  | { by: 'runner'; exitCode: number }
  | { by: 'sandbox'; exceeded?: CodeExcess }

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
const mostOutput = 1024 * 1024
/** The longest result, as JSON at its widest. */
const mostAnswer = 8 * 1024 * 1024
/** A runner says one line per call; what else comes this way is written by code that forges. */
const mostSaid = { bytes: 64 * 1024 * 1024, lines: 1000 }
const mostComplaints = 20
const channelsOf = (language: Language) => 1 + 3 * languages.indexOf(language)

interface Runner {
  state: 'none' | 'starting' | 'ready'
  stdout: Output
  stderr: Output
  patience: Patience
  heard(message: Message): void
  gone(ending: Ending): void
}

/** One sandbox for all languages of a session: they share its files, and it ends as one. */
export async function startCodeSandbox({
  sandbox,
  connections,
  programs,
  limits,
  log,
}: CodeSandboxNeeds): Promise<CodeSandbox> {
  const process = await sandbox.start({
    ...codeProgram(programs, limits),
    channels: 1 + 3 * languages.length,
    ports: [{ port: debuggerPort, mostConnections: limits.connections, onConnection: connections }],
  })
  let excess: CodeExcess | undefined
  const flood = (exceeded: CodeExcess) => {
    excess ??= exceeded
    void process.kill()
  }
  process.stdout.resume()
  onLines(process.stderr, 10_000, {
    heard: (line) => log.warn({ line }, 'the supervisor of a code sandbox complained'),
    patience: patience({ bytes: mostAnswer, lines: mostComplaints }, () => {}),
  })
  const runners = new Map(
    languages.map((language) => [language, runnerOf(process, language, { limits, flood })]),
  )
  // The map holds every language.
  const runner = (language: Language) => runners.get(language) as Runner
  const supervisor = channel(process, 0)
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
    ready(language) {
      const { promise, resolve } = Promise.withResolvers<Ending | undefined>()
      const starting = runner(language)
      if (starting.state === 'ready') return Promise.resolve(undefined)
      starting.state = 'starting'
      starting.patience.renew()
      starting.heard = ({ isReady }) => {
        if (!isReady) return
        starting.state = 'ready'
        resolve(undefined)
      }
      starting.gone = resolve
      const word = newWord()
      const first = channelsOf(language)
      supervisor.write(`start ${language} ${word} ${[3, 4, 5].map((offset) => first + offset).join(' ')}\n`)
      channel(process, first).write(`\n${word}\n`)
      return promise
    },
    call(language, code) {
      const { promise, resolve } = Promise.withResolvers<Ending>()
      const nonce = newWord()
      runner(language).patience.renew()
      runner(language).heard = (message) => {
        if (message.nonce === nonce) resolve({ by: 'answer', ...message })
      }
      runner(language).gone = resolve
      const bytes = Buffer.from(code)
      channel(process, channelsOf(language)).write(`${nonce} ${bytes.length}\n`)
      channel(process, channelsOf(language)).write(bytes)
      return promise
    },
    async settle(language) {
      const { stdout, stderr } = runner(language)
      const word = newWord()
      const read = Promise.all([stdout.endsAt(word), stderr.endsAt(word)])
      supervisor.write(`mark ${language} ${word}\n`)
      await read
    },
  }
}

function runnerOf(
  process: SandboxedProcess,
  language: Language,
  { limits, flood }: { limits: CodeLimits; flood(exceeded: CodeExcess): void },
): Runner {
  const first = channelsOf(language)
  const outputLimits = {
    kept: mostOutput,
    read: limits.outputMegabytes * 1024 * 1024,
    onFlood: () => flood({ limit: 'output', most: limits.outputMegabytes }),
  }
  const runner: Runner = {
    state: 'none',
    stdout: output(channel(process, first + 1), outputLimits),
    stderr: output(channel(process, first + 2), outputLimits),
    patience: patience(mostSaid, () => flood({ limit: 'messages', most: mostSaid.lines })),
    heard() {},
    gone() {},
  }
  onLines(channel(process, first), mostAnswer, {
    heard(line) {
      const message = messageIn(line)
      if (message) runner.heard(message)
    },
    patience: runner.patience,
  })
  return runner
}

function channel(process: SandboxedProcess, index: number) {
  const found = process.channels[index]
  if (!found) throw new Error(`the sandbox has no channel ${index}`)
  return found
}

/** Code cannot guess it, so it cannot write what stands for it. */
const newWord = () => randomBytes(16).toString('hex')
