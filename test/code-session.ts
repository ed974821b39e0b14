import { join } from 'node:path'
import { createSandboxedChromium } from '../src/platform/chromium/sandboxed.ts'
import { silentLog } from '../src/platform/log.ts'
import type { Sandbox, SandboxedProcess } from '../src/platform/ports/sandbox.ts'
import { createBubblewrapSandbox } from '../src/platform/sandbox/bubblewrap.ts'
import { createCdpMultiplexer } from '../src/sessions/cdp/multiplexer.ts'
import { createCdpConnections } from '../src/sessions/cdp/socket.ts'
import { type CodeOutcome, type CodeRunner, createCodeRunner } from '../src/sessions/code/code-runner.ts'
import type { Language } from '../src/sessions/code/code-sandbox.ts'
import { type CodeLimits, type CodePrograms, findCodePrograms } from '../src/sessions/code/programs.ts'
import { findChromium } from './servers/proxy-browser.ts'

const prepared = join(import.meta.dirname, '..', '.prepared')

/** Programs that the setup installed for languages other than Node. */
export const programs: CodePrograms = findCodePrograms({
  pythonPath: process.env.PYTHON_PATH ?? join(prepared, 'python', 'bin', 'python3'),
  agentBrowserPath: process.env.AGENT_BROWSER_PATH ?? join(prepared, 'agent-browser', 'agent-browser'),
})

export const limits: CodeLimits = { megabytes: 1024, files: 100_000, connections: 64, outputMegabytes: 256 }

export interface CodeSession {
  runner: CodeRunner
  run(language: Language, code: string, timeoutMs?: number): Promise<CodeOutcome>
  /** Sandboxes for code that were started so far. */
  sandboxes: SandboxedProcess[]
  close(): Promise<void>
}

/** Starts a browser as sessions have it, in its sandbox and without network access, and a code runner next to it. */
export async function startCodeSession(available: CodePrograms = programs): Promise<CodeSession> {
  const sandbox = createBubblewrapSandbox('/usr/bin/bwrap', { node: process.execPath, hidden: [] })
  const chromium = createSandboxedChromium(findChromium() ?? '', { sandbox, log: silentLog })
  const browser = await chromium.launch((socket) => socket.destroy())
  const cdp = createCdpMultiplexer(browser, { onActivity() {}, onBrowserClose() {}, onFlood() {} })
  const sandboxes: SandboxedProcess[] = []
  const observedSandbox: Sandbox = {
    async start(program) {
      const started = await sandbox.start(program)
      sandboxes.push(started)
      return started
    },
  }
  const runner = createCodeRunner({
    ...{
      sandbox: observedSandbox,
      connections: createCdpConnections(cdp, { megabytes: 64 }),
      programs: available,
      limits,
      log: silentLog,
    },
  })
  return {
    runner,
    sandboxes,
    run: (language, code, timeoutMs = 20_000) =>
      runner.run({ language, code, timeoutMs }, new AbortController().signal),
    async close() {
      await runner.stop()
      await browser.kill()
    },
  }
}
