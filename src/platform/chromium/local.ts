import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { promisify } from 'node:util'
import {
  childrenOf,
  commandOf,
  family,
  memoryOf,
  processorTime,
  residentMegabytes,
} from '../child/processes.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { BrowserProcess, Chromium, LaunchedBrowser } from '../ports/chromium.ts'
import { isTemporaryFolderFull, temporaryFolderFull, withTemporaryFolder } from '../temporary-files.ts'
import { loadPlaywright } from './load-playwright.ts'

const run = promisify(execFile)

/** Launches Chromium on this machine. */
export function localChromium(executablePath: string, log: Log): Chromium {
  // Root may not use Chromium's own sandbox, and some kernels deny it to other users; tried once, then remembered.
  let isSandboxed = process.getuid?.() !== 0
  async function start<Result>(once: (isSandboxed: boolean) => Promise<Result>): Promise<Result> {
    try {
      return await once(isSandboxed)
    } catch (cause) {
      // Chromium reports nothing else than that it has ended.
      if (await isTemporaryFolderFull()) throw temporaryFolderFull(cause)
      if (!existsSync(executablePath)) throw notStarted('the file no longer exists', cause)
      if (!isSandboxed) throw notStarted('the file is not a working Chromium', cause)
      log.warn(
        { cause },
        'Chromium does not start with its own sandbox here; starting it without the sandbox',
      )
      isSandboxed = false
      return start(once)
    }
  }
  return {
    launch: (proxyUrl) => start((sandboxed) => launchOnce(executablePath, proxyUrl, sandboxed)),
    readOnce: (page) => start((sandboxed) => readOnce(executablePath, page, sandboxed)),
  }
}

/** The path is only for the log: callers need not know the folders of this machine. */
function notStarted(reason: string, cause: unknown): AppError {
  const message = `The browser of this service could not be started: ${reason}. The operator must set CHROMIUM_PATH to a Chromium or Chrome and restart the service; npm run doctor checks it.`
  return new AppError('BROWSER_FAILED', { phase: 'launch' }, { message, cause })
}

/** Running browsers of this process; a new one is the child process that is not among them. */
const known = new Set<number>()

async function launchOnce(
  executablePath: string,
  proxyUrl: string,
  chromiumSandbox: boolean,
): Promise<LaunchedBrowser> {
  const { chromium } = await loadPlaywright()
  const server = await chromium.launch({
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
    (pid) => !known.has(pid) && isProgram(commandOf(pid), executablePath),
  )
  if (processId !== undefined) known.add(processId)
  return {
    browser: server,
    processId,
    residentMegabytes: () => residentMegabytes(processId),
    processes: () => (processId === undefined ? [] : family(processId).map(seen)),
    endProcess,
    stepBack,
    async kill() {
      if (processId !== undefined) known.delete(processId)
      if (!server.isConnected()) return
      const isClosed = server.close().then(() => true)
      const patience = new Promise<false>((resolve) => setTimeout(resolve, 5000, false).unref())
      if (!(await Promise.race([isClosed, patience])) && processId !== undefined) endProcess(processId)
    },
  }
}

/** The name of one browser may be a prefix of another's. */
function isProgram(command: string, path: string): boolean {
  return command.startsWith(path) && !/[\w.-]/.test(command.charAt(path.length))
}

/** Without the driver, which needs too much memory for a service that never renders. */
async function readOnce(
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
  const own = ['--headless', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${folder}`]
  const running = run(executablePath, [...own, ...args], {
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  const processId = running.child.pid
  if (processId !== undefined) known.add(processId)
  try {
    return (await running).stdout
  } finally {
    if (processId !== undefined) known.delete(processId)
  }
}

function seen(pid: number): BrowserProcess {
  const { own, shared } = memoryOf(pid)
  return {
    pid,
    isOfPage: commandOf(pid).includes('--type=renderer'),
    ownMegabytes: own,
    sharedMegabytes: shared,
    processorTime: processorTime(pid),
  }
}

function stepBack(pid: number, priority: number): void {
  try {
    setPriority(pid, priority)
  } catch {
    // It has already ended.
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended, which is the goal.
  }
}

/** Without this, Chromium would reach loopback addresses past the proxy. */
export const bypass = '<-loopback>'

/** For every browser. */
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

/** For browsers that only show one page: they never open the further windows that it requests. */
export const scrapeSwitches = ['--block-new-web-contents']
