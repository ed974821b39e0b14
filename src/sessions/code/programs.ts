import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SandboxedProgram } from '../../platform/ports/sandbox.ts'

/** What code can use in addition to Node and Playwright, which are those of the service. */
export interface CodePrograms {
  /** The folder of a virtual environment with Playwright for Python. */
  python: string | undefined
  /** The program agent-browser. */
  agentBrowser: string | undefined
}

export interface CodeLimits {
  /** Memory of all code of a session together. */
  megabytes: number
  /** Files, folders and links it may have at the same time. */
  files: number
  /** Connections to the browser of its session at the same time. */
  connections: number
  /** Maximum output of one call; code that writes more is ended, and far less of it is kept. */
  outputMegabytes: number
}

/** The configured programs that actually exist. */
export function findCodePrograms(named: {
  pythonPath: string | undefined
  agentBrowserPath: string | undefined
}): CodePrograms {
  const python = named.pythonPath && resolve(named.pythonPath, '..', '..')
  const { agentBrowserPath } = named
  return {
    python: python && isSeenInside(python) && hasPlaywright(python) ? python : undefined,
    agentBrowser: agentBrowserPath && existsSync(agentBrowserPath) ? agentBrowserPath : undefined,
  }
}

/** An environment only links to the Python that created it, and the sandbox only has those of the system. */
function isSeenInside(environment: string): boolean {
  const program = join(environment, 'bin', 'python3')
  const real = existsSync(program) ? realpathSync(program) : ''
  return real.startsWith('/usr/') || real === program
}

function hasPlaywright(environment: string): boolean {
  const library = join(environment, 'lib')
  const versions = existsSync(library) ? readdirSync(library) : []
  return versions.some((version) => existsSync(join(library, version, 'site-packages', 'playwright')))
}

const place = '/run/winnow'
const inside = fileURLToPath(new URL('./inside', import.meta.url))
const packageFolder = (name: string) => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))

/** Everything the sandbox for code is started with, except its channels and ports. */
export function codeProgram(
  { python, agentBrowser }: CodePrograms,
  { megabytes, files }: CodeLimits,
): Omit<SandboxedProgram, 'channels' | 'ports'> {
  return {
    command: ['bash', `${place}/code/supervise.sh`],
    environment: {
      PATH: `${place}:${place}/python/bin:/usr/local/bin:/usr/bin:/bin`,
      HOME: '/tmp/home',
      LANG: 'C.UTF-8',
      NODE_PATH: place,
      // The same Node for both languages: its pages are then in memory once.
      PLAYWRIGHT_NODEJS_PATH: `${place}/node`,
      PYTHONDONTWRITEBYTECODE: '1',
      AGENT_BROWSER_CDP: '9222',
      // Lives as long as the sandbox, so that a later call can use what an earlier one opened.
      AGENT_BROWSER_IDLE_TIMEOUT_MS: '0',
    },
    readable: [
      { from: inside, to: `${place}/code` },
      { from: packageFolder('playwright-core'), to: `${place}/playwright-core` },
      { from: packageFolder('acorn'), to: `${place}/acorn` },
      { from: `${inside}/agent-browser.sh`, to: `${place}/agent-browser` },
      ...(agentBrowser === undefined ? [] : [{ from: agentBrowser, to: `${place}/agent-browser-program` }]),
      ...(python === undefined ? [] : [{ from: python, to: `${place}/python` }]),
    ],
    limits: {
      megabytes,
      // Also counts reserved memory, and Node reserves 600 MB at its start.
      processMegabytes: Math.ceil(megabytes * 0.75) + 640,
      threads: 256,
      openFiles: 512,
      filesMegabytes: 256,
      files,
    },
    nestsSandboxes: false,
  }
}
