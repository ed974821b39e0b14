import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../../base/log.ts'
import type { Sandbox, SandboxEnd } from '../../ports/sandbox.ts'
import {
  type CodeExcess,
  callRunner,
  channel,
  channelCount,
  type Ending,
  type Language,
  type LanguageRunner,
  languageRunner,
  languages,
  mostAnswer,
  settleRunner,
  startRunner,
} from './language-runner.ts'
import { onLines, patience } from './messages.ts'
import type { Output } from './output.ts'
import { type CodeLimits, type CodePrograms, codeProgram } from './programs.ts'

export type { CodeExcess, Ending, Language } from './language-runner.ts'

export interface CodeSandboxNeeds {
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
const mostComplaints = 20

/** One sandbox for all languages of a session: they share its files, and it ends as one. */
export async function startCodeSandbox(needs: CodeSandboxNeeds): Promise<CodeSandbox> {
  const { sandbox, connections, programs, limits, log } = needs
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
    patience: patience({ bytes: mostAnswer, lines: mostComplaints }, () => {}),
  })
  const runners = new Map(
    languages.map((language) => [language, languageRunner(process, language, { limits, flood })]),
  )
  // The map holds every language.
  const runner = (language: Language) => runners.get(language) as LanguageRunner
  const supervisor = channel(process, 0)
  hearEnds(supervisor, runner)
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

/** The supervisor tells when the process of a language has ended. */
function hearEnds(supervisor: Duplex, runner: (language: Language) => LanguageRunner): void {
  onLines(supervisor, 1000, {
    heard(line) {
      const [, language, code] = /^ended (\w+) (\d+)$/.exec(line) ?? []
      const ended = languages.find((name) => name === language)
      if (ended === undefined) return
      runner(ended).state = 'none'
      runner(ended).gone({ by: 'runner', exitCode: Number(code) })
    },
  })
}
