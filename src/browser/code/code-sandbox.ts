import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Log } from '../../base/log.ts'
import type { Sandbox, SandboxEnd, SandboxedProcess } from '../../ports/sandbox.ts'
import { type Message, messageIn, onLines } from './messages.ts'
import { type Output, output } from './output.ts'
import { type CodePrograms, codeProgram } from './programs.ts'

export const languages = ['node', 'python', 'bash'] as const

export type Language = (typeof languages)[number]

export interface CodeSandboxNeeds {
  sandbox: Sandbox
  /** Serves the connections that code makes to the session's browser. */
  connections: (socket: Socket) => void
  programs: CodePrograms
  log: Log
}

/** How a call ended: answered by its runner, or with it, or with the whole sandbox. */
export type Ending =
  | { by: 'answer'; exitCode: number; result: string | null; isTruncated: boolean }
  | { by: 'runner'; exitCode: number }
  | { by: 'sandbox'; isOverMemory: boolean }

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
const channelsOf = (language: Language) => 1 + 3 * languages.indexOf(language)

interface Runner {
  state: 'none' | 'starting' | 'ready'
  stdout: Output
  stderr: Output
  heard(message: Message): void
  gone(ending: Ending): void
}

/** One sandbox for all languages of a session: they share its files, and it ends as one. */
export async function startCodeSandbox({
  sandbox,
  connections,
  programs,
  log,
}: CodeSandboxNeeds): Promise<CodeSandbox> {
  const process = await sandbox.start({
    ...codeProgram(programs),
    channels: 1 + 3 * languages.length,
    ports: [{ port: debuggerPort, onConnection: connections }],
  })
  process.stdout.resume()
  onLines(process.stderr, 10_000, (line) => log.warn({ line }, 'the supervisor of a code sandbox complained'))
  const runners = new Map(languages.map((language) => [language, runnerOf(process, language)]))
  // The map holds every language.
  const runner = (language: Language) => runners.get(language) as Runner
  const supervisor = channel(process, 0)
  onLines(supervisor, 1000, (line) => {
    const [, language, code] = /^ended (\w+) (\d+)$/.exec(line) ?? []
    const ended = languages.find((name) => name === language)
    if (ended === undefined) return
    runner(ended).state = 'none'
    runner(ended).gone({ by: 'runner', exitCode: Number(code) })
  })
  process.ended.then(({ isOverMemory }) => {
    for (const { gone } of runners.values()) gone({ by: 'sandbox', isOverMemory })
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

function runnerOf(process: SandboxedProcess, language: Language): Runner {
  const first = channelsOf(language)
  const runner: Runner = {
    state: 'none',
    stdout: output(channel(process, first + 1), mostOutput),
    stderr: output(channel(process, first + 2), mostOutput),
    heard() {},
    gone() {},
  }
  onLines(channel(process, first), mostAnswer, (line) => {
    const message = messageIn(line)
    if (message) runner.heard(message)
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
