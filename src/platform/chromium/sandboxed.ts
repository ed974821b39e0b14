import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { listener } from '../functions.ts'
import type { Log } from '../log.ts'
import type { SandboxedBrowser, SandboxedChromium } from '../ports/chromium.ts'
import type { Sandbox, SandboxPort } from '../ports/sandbox.ts'
import { chromeAgent } from './chrome.ts'
import { bypass, switches } from './local.ts'

const run = promisify(execFile)

/** Chromium in a sandbox, a new one for each call. It creates its own sandbox inside, if the kernel allows that. */
export function sandboxedChromium(
  executablePath: string,
  { sandbox, log, megabytes = usualMegabytes }: { sandbox: Sandbox; log: Log; megabytes?: number },
): SandboxedChromium {
  let isSandboxedInside = true
  let userAgent: Promise<string[]> | undefined
  return {
    async launch(onConnection) {
      userAgent ??= ordinaryUserAgent(executablePath)
      const launch = async () => {
        const inside = isSandboxedInside ? [] : ['--no-sandbox']
        const command: [string, ...string[]] = [
          executablePath,
          ...ownSwitches,
          ...((await userAgent) ?? []),
          ...inside,
        ]
        return launchOnce(command, sandbox, { onConnection, megabytes })
      }
      const browser = await launch()
      if (browser) return browser
      if (isSandboxedInside) {
        log.warn(
          {},
          'Chromium does not start with its own sandbox inside bubblewrap; only the outer sandbox is active',
        )
        isSandboxedInside = false
      }
      const again = await launch()
      if (!again) throw new Error('Chromium exited twice before it answered.')
      return again
    },
  }
}

const proxyPort = 3128

const usualMegabytes = 2000
const limits = { threads: 2000, filesMegabytes: 512, files: 200_000 }
/** Chromium opens 32 connections to a proxy, and up to 255 more for WebSockets. */
const mostConnections = 320

/** A browser that answers, or undefined if it ended before. */
async function launchOnce(
  command: [string, ...string[]],
  sandbox: Sandbox,
  { onConnection, megabytes }: { onConnection: SandboxPort['onConnection']; megabytes: number },
): Promise<SandboxedBrowser | undefined> {
  const folder = dirname(command[0])
  const running = await sandbox.start({
    command,
    environment: { PATH: '/usr/bin:/bin', HOME: '/tmp', LANG: 'en_US.UTF-8' },
    readable: folder.startsWith('/usr/') ? [] : [{ from: folder, to: folder }],
    ports: [{ port: proxyPort, mostConnections, onConnection }],
    channels: 2,
    limits: { ...limits, megabytes },
    nestsSandboxes: true,
  })
  // Its log output is about buses and graphics cards that a sandbox does not have.
  running.stdout.resume()
  running.stderr.resume()
  const [toBrowser, fromBrowser] = running.channels
  if (!toBrowser || !fromBrowser) throw new Error('The sandbox opened no channels.')
  const { ended } = running
  const isUp = await Promise.race([hasOpenedPage(toBrowser, fromBrowser), ended.then(() => false)])
  if (!isUp) return undefined
  return {
    ...{ toBrowser, fromBrowser, ended },
    residentMegabytes: running.residentMegabytes,
    kill: running.kill,
  }
}

/**
 * Requests the first page: a page that the browser opens itself would still be loading when the first client connects. A
 * browser sends nothing before the first request, so everything received here is the answer.
 */
async function hasOpenedPage(toBrowser: Writable, fromBrowser: Readable): Promise<boolean> {
  const question = { id: 1, method: 'Target.createTarget', params: { url: 'about:blank' } }
  toBrowser.write(`${JSON.stringify(question)}\0`)
  return await new Promise((resolve) => {
    const listen = listener(
      (part: Buffer) => {
        if (!part.includes(0)) return
        fromBrowser.off('data', listen)
        resolve(true)
      },
      () => resolve(false),
    )
    fromBrowser.on('data', listen)
  })
}

/** The user agent of the same browser with a window: many sites reject others. */
async function ordinaryUserAgent(executablePath: string): Promise<string[]> {
  const { stdout } = await run(executablePath, ['--version'], { timeout: 10_000 }).catch(() => ({
    stdout: '',
  }))
  const version = /\d+\.\d+\.\d+/.exec(stdout)?.[0]
  return version === undefined ? [] : [`--user-agent=${chromeAgent(version)}`]
}

const ownSwitches = [
  '--headless',
  '--remote-debugging-pipe',
  '--user-data-dir=/tmp/profile',
  `--proxy-server=http://127.0.0.1:${proxyPort}`,
  `--proxy-bypass-list=${bypass}`,
  ...switches,
  '--window-size=1280,720',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--password-store=basic',
  '--metrics-recording-only',
  '--allow-pre-commit-input',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-back-forward-cache',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-hang-monitor',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-field-trial-config',
  '--no-startup-window',
]
