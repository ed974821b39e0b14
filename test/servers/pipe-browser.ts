import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { type CdpMultiplexer, createCdpMultiplexer } from '../../src/sessions/cdp/multiplexer.ts'
import { findChromium } from './proxy-browser.ts'

export interface PipeBrowser {
  cdp: CdpMultiplexer
  /** Counts of messages that clients sent, and of their requests to close the browser. */
  activity: () => number
  closings: () => number
  floods: () => number
  processId: number
  stop(): Promise<void>
}

/** Starts a real browser behind a CDP multiplexer, as a session has it, but without the sandbox. */
export function startPipeBrowser(): PipeBrowser {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-pipe-browser-'))
  const child = spawn(
    findChromium() ?? '',
    [
      '--headless',
      '--remote-debugging-pipe',
      '--no-first-run',
      '--disable-gpu',
      '--window-size=1280,720',
      `--user-data-dir=${folder}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const [, , , toBrowser, fromBrowser] = child.stdio
  if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable)) throw new Error('no pipes')
  const exited = new Promise((resolve) => child.once('exit', resolve))
  let activity = 0
  let closings = 0
  let floods = 0
  const cdp = createCdpMultiplexer(
    { toBrowser, fromBrowser },
    {
      onActivity() {
        activity += 1
      },
      onBrowserClose() {
        closings += 1
      },
      onFlood() {
        floods += 1
      },
    },
  )
  return {
    cdp,
    activity: () => activity,
    closings: () => closings,
    floods: () => floods,
    processId: child.pid ?? 0,
    async stop() {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
