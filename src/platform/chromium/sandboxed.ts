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

/** Each launch creates a new sandbox. Chromium creates its own sandbox inside, if the kernel allows that. */
export function createSandboxedChromium(
  executablePath: string,
  { sandbox, log, megabytes = defaultMegabytes }: { sandbox: Sandbox; log: Log; megabytes?: number },
): SandboxedChromium {
  let isSandboxedInside = true
  let userAgent: Promise<string[]> | undefined
  return {
    async launch(onConnection) {
      userAgent ??= userAgentSwitch(executablePath)
      const launch = async () => {
        const innerSandbox = isSandboxedInside ? [] : ['--no-sandbox']
        const args = [...sandboxSwitches, ...((await userAgent) ?? []), ...innerSandbox]
        return launchOnce([executablePath, ...args], sandbox, { onConnection, megabytes })
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
      const secondBrowser = await launch()
      if (!secondBrowser) throw new Error('Chromium exited twice before it answered.')
      return secondBrowser
    },
  }
}

const proxyPort = 3128

const defaultMegabytes = 2000
const limits = { threads: 2000, filesMegabytes: 512, files: 200_000 }
/** Maximum number of connections to the proxy. Chromium opens 32, and up to 255 more for WebSockets. */
const maxConnections = 320

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
    ports: [{ port: proxyPort, maxConnections: maxConnections, onConnection }],
    channels: 2,
    limits: { ...limits, megabytes },
    nestsSandboxes: true,
  })
  // The log output is discarded: it reports missing buses and graphics cards, which a sandbox does not have.
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

/** Opens the first page here, because one that the browser opens may still be loading for the first client. */
async function hasOpenedPage(toBrowser: Writable, fromBrowser: Readable): Promise<boolean> {
  const request = { id: 1, method: 'Target.createTarget', params: { url: 'about:blank' } }
  toBrowser.write(`${JSON.stringify(request)}\0`)
  return await new Promise((resolve) => {
    const onData = listener(
      (part: Buffer) => {
        if (!part.includes(0)) return
        fromBrowser.off('data', onData)
        resolve(true)
      },
      () => resolve(false),
    )
    fromBrowser.on('data', onData)
  })
}

/** Returns the switch for the user agent of the browser in headed mode, because many sites reject headless browsers. */
async function userAgentSwitch(executablePath: string): Promise<string[]> {
  const { stdout } = await run(executablePath, ['--version'], { timeout: 10_000 }).catch(() => ({
    stdout: '',
  }))
  const version = /\d+\.\d+\.\d+/.exec(stdout)?.[0]
  return version === undefined ? [] : [`--user-agent=${chromeAgent(version)}`]
}

const sandboxSwitches = [
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
