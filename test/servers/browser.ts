import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

/** Path of the browser of this machine; undefined if there is none. */
export const chromiumPath =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium'].find((path) => existsSync(path))

export interface OpenBrowser {
  /** Connects a separate driver to the default context. */
  connect(): Promise<BrowserContext>
  stop(): Promise<void>
}

/** Starts a browser like those of sessions: with a default context, to which external drivers connect. */
export async function startBrowser(): Promise<OpenBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-profile-state-'))
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--ignore-certificate-errors']
  const resolverRule = '--host-resolver-rules=MAP *.example 127.0.0.1'
  const args = [
    ...flags,
    resolverRule,
    '--remote-debugging-port=0',
    `--user-data-dir=${folder}`,
    'about:blank',
  ]
  const child: ChildProcess = spawn(chromiumPath ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const endpoint = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.once('exit', () => reject(new Error(text)))
    child.stderr?.on('data', (part) => {
      text += part
      const url = /ws:\S+/.exec(text)?.[0]
      if (url) resolve(url)
    })
  })
  const drivers: Browser[] = []
  return {
    async connect() {
      const driver = await chromium.connectOverCDP(endpoint)
      drivers.push(driver)
      const [context] = driver.contexts()
      if (!context) throw new Error('The browser has no default context.')
      return context
    },
    async stop() {
      for (const driver of drivers) await driver.close()
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
