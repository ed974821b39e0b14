import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { promisify } from 'node:util'
import {
  childrenOf,
  commandOf,
  memoryOf,
  processorTime,
  processTree,
  residentMegabytes,
} from '../child/processes.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { BrowserProcess, Chromium } from '../ports/chromium.ts'
import { isTemporaryFolderFull, temporaryFolderFull, withTemporaryFolder } from '../temporary-files.ts'
import { loadPlaywright } from './load-playwright.ts'

const run = promisify(execFile)

export function createLocalChromium(executablePath: string, log: Log): Chromium {
  // Root cannot use the sandbox, and on some kernels no user can. After one failure, it stays off.
  let isSandboxed = process.getuid?.() !== 0
  async function start<Result>(launchWith: (isSandboxed: boolean) => Promise<Result>): Promise<Result> {
    try {
      return await launchWith(isSandboxed)
    } catch (cause) {
      // Chromium reports only that it has ended, so the cause is determined here.
      if (await isTemporaryFolderFull()) throw temporaryFolderFull(cause)
      if (!existsSync(executablePath)) throw notStarted('the file no longer exists', cause)
      if (!isSandboxed) throw notStarted('the file is not a working Chromium', cause)
      log.warn(
        { cause },
        'Chromium does not start with its own sandbox here; starting it without the sandbox',
      )
      isSandboxed = false
      return start(launchWith)
    }
  }
  return {
    launch: (proxyUrl) => start((sandboxed) => launchOnce(executablePath, proxyUrl, sandboxed)),
    readOnce: (page) => start((sandboxed) => dumpPage(executablePath, page, sandboxed)),
  }
}

/** Only the log contains the path: callers must not see folders of this machine. */
function notStarted(reason: string, cause: unknown): AppError {
  const message = `The browser of this service could not be started: ${reason}. The operator must set CHROMIUM_PATH to a Chromium or Chrome and restart the service; npm run doctor checks it.`
  return new AppError('BROWSER_FAILED', { phase: 'launch' }, { message, cause })
}

/** Running browsers of this process. A new browser is the child process that is not in this set. */
const runningBrowsers = new Set<number>()

async function launchOnce(executablePath: string, proxyUrl: string, chromiumSandbox: boolean) {
  const { chromium } = await loadPlaywright()
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox,
    args: [...switches, ...scrapeSwitches],
    proxy: { server: proxyUrl, bypass },
    // The service stops its browsers itself, after the calls that use them.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: 30_000,
  })
  const processId = childrenOf(process.pid).find(
    (pid) => !runningBrowsers.has(pid) && isProgram(commandOf(pid), executablePath),
  )
  if (processId !== undefined) runningBrowsers.add(processId)
  return {
    browser,
    processId,
    residentMegabytes: () => residentMegabytes(processId),
    processes: () => (processId === undefined ? [] : processTree(processId).map(toBrowserProcess)),
    endProcess,
    setPriority: (pid: number, priority: number) => ignoreErrors(() => setPriority(pid, priority)),
    async kill() {
      if (processId !== undefined) runningBrowsers.delete(processId)
      if (!browser.isConnected()) return
      const closed = browser.close().then(() => true)
      const timeout = new Promise<false>((resolve) => setTimeout(resolve, 5000, false).unref())
      if (!(await Promise.race([closed, timeout])) && processId !== undefined) endProcess(processId)
    },
  }
}

/** Returns true if the command runs this program. The path of one browser may be a prefix of the path of another. */
function isProgram(command: string, path: string): boolean {
  return command.startsWith(path) && !/[\w.-]/.test(command.charAt(path.length))
}

/** Reads a page without the driver, which would take too much memory in a service that never renders. */
async function dumpPage(
  executablePath: string,
  { proxyUrl, url }: { proxyUrl: string; url: string },
  chromiumSandbox: boolean,
): Promise<string> {
  const proxy = [`--proxy-server=${proxyUrl}`, `--proxy-bypass-list=${bypass}`]
  const sandbox = chromiumSandbox ? [] : ['--no-sandbox']
  return withTemporaryFolder('chromium', (folder) =>
    dumpDom(executablePath, folder, [...sandbox, ...proxy, ...switches, '--dump-dom', url]),
  )
}

async function dumpDom(executablePath: string, folder: string, args: string[]): Promise<string> {
  const fixedArgs = ['--headless', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${folder}`]
  const running = run(executablePath, [...fixedArgs, ...args], {
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  const processId = running.child.pid
  if (processId !== undefined) runningBrowsers.add(processId)
  try {
    return (await running).stdout
  } finally {
    if (processId !== undefined) runningBrowsers.delete(processId)
  }
}

function toBrowserProcess(pid: number): BrowserProcess {
  const { own, shared } = memoryOf(pid)
  return {
    pid,
    isOfPage: commandOf(pid).includes('--type=renderer'),
    ownMegabytes: own,
    sharedMegabytes: shared,
    processorTime: processorTime(pid),
  }
}

const endProcess = (pid: number) => ignoreErrors(() => process.kill(pid, 'SIGKILL'))

function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {
    // The process has already ended.
  }
}

/** Bypass list of the proxy, without which Chromium would connect to loopback addresses directly. */
export const bypass = '<-loopback>'

export const switches = [
  '--disable-quic',
  // WebRTC connections would otherwise bypass the proxy.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-domain-reliability',
  '--disable-features=OptimizationHints,AutofillServerCommunication,MediaRouter,DialMediaRouteProvider',
  '--disable-blink-features=AutomationControlled',
  '--no-pings',
  '--mute-audio',
]

/** Switches of browsers that show only one page and never open the further windows that it requests. */
export const scrapeSwitches = ['--block-new-web-contents']
