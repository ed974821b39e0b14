import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Log } from '../../base/log.ts'
import type { LonelyBrowser, LonelyChromium } from '../../ports/chromium.ts'
import type { Sandbox, SandboxedProgram } from '../../ports/sandbox.ts'
import { bypass, switches } from './switches.ts'

/** Chromium in a sandbox, one for each who asks. Its own sandbox is built inside, where the kernel allows that. */
export function lonelyChromium(executablePath: string, sandbox: Sandbox, log: Log): LonelyChromium {
  let isSandboxedInside = true
  return {
    async launch(onConnection) {
      const browser = await launchOnce(executablePath, sandbox, { onConnection, isSandboxedInside })
      if (browser) return browser
      if (!isSandboxedInside) throw new Error('Chromium ended before it answered.')
      log.warn(
        {},
        'Chromium does not start with its own sandbox inside bubblewrap; it has the outer one alone',
      )
      isSandboxedInside = false
      const again = await launchOnce(executablePath, sandbox, { onConnection, isSandboxedInside })
      if (!again) throw new Error('Chromium ended before it answered.')
      return again
    },
  }
}

const proxyPort = 3128

const limits = { megabytes: 2000, threads: 2000, filesMegabytes: 512 }

/** A browser that answers, or nothing when it ended before it did. */
async function launchOnce(
  executablePath: string,
  sandbox: Sandbox,
  how: { onConnection: SandboxedProgram['ports'][number]['onConnection']; isSandboxedInside: boolean },
): Promise<LonelyBrowser | undefined> {
  const folder = dirname(executablePath)
  const running = await sandbox.start({
    command: [executablePath, ...ownSwitches, ...(how.isSandboxedInside ? [] : ['--no-sandbox'])],
    environment: { PATH: '/usr/bin:/bin', HOME: '/tmp', LANG: 'en_US.UTF-8' },
    readable: folder.startsWith('/usr/') ? [] : [{ from: folder, to: folder }],
    ports: [{ port: proxyPort, onConnection: how.onConnection }],
    channels: 2,
    limits,
    nestsSandboxes: true,
  })
  // What a browser says of itself is about buses and graphics cards that a sandbox does not have.
  running.stdout.resume()
  running.stderr.resume()
  const [toBrowser, fromBrowser] = running.channels
  if (!toBrowser || !fromBrowser) throw new Error('The sandbox opened no channels.')
  const ended = running.ended.then(() => {})
  const isUp = await Promise.race([hasAnswered(toBrowser, fromBrowser), ended.then(() => false)])
  if (!isUp) return undefined
  return {
    ...{ toBrowser, fromBrowser, ended },
    residentMegabytes: running.residentMegabytes,
    kill: running.kill,
  }
}

/** A browser says nothing before it is asked, so all that is heard here is the answer to the first question. */
async function hasAnswered(toBrowser: Writable, fromBrowser: Readable): Promise<boolean> {
  toBrowser.write(`${JSON.stringify({ id: 1_000_000_000, method: 'Browser.getVersion' })}\0`)
  return await new Promise((resolve) => {
    const listen = (part: Buffer) => {
      if (!part.includes(0)) return
      fromBrowser.off('data', listen)
      resolve(true)
    }
    fromBrowser.on('data', listen)
  })
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
  'about:blank',
]
