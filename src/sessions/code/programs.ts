import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SandboxedProgram } from '../../platform/ports/sandbox.ts'

/** Optional programs for code. Node and Playwright are always available, because the service uses them itself. */
export interface CodePrograms {
  python: string | undefined
  agentBrowser: string | undefined
}

export interface CodeLimits {
  megabytes: number
  files: number
  connections: number
  /** Maximum output of one call. Code that writes more is ended, and far less of the output is stored. */
  outputMegabytes: number
}

export function findCodePrograms({
  pythonPath,
  agentBrowserPath,
}: Record<'pythonPath' | 'agentBrowserPath', string | undefined>): CodePrograms {
  const python = pythonPath && resolve(pythonPath, '..', '..')
  return {
    python: python && isVisibleInSandbox(python) && hasPlaywright(python) ? python : undefined,
    agentBrowser: agentBrowserPath && existsSync(agentBrowserPath) ? agentBrowserPath : undefined,
  }
}

/** Outside the environment, to which its Python may link, the sandbox contains only the Python in `/usr`. */
function isVisibleInSandbox(environment: string): boolean {
  const program = join(environment, 'bin', 'python3')
  const realPath = existsSync(program) ? realpathSync(program) : ''
  return realPath.startsWith('/usr/') || realPath === program
}

function hasPlaywright(environment: string): boolean {
  const library = join(environment, 'lib')
  const versions = existsSync(library) ? readdirSync(library) : []
  return versions.some((version) => existsSync(join(library, version, 'site-packages', 'playwright')))
}

const sandboxFolder = '/run/winnow'
const insideFolder = fileURLToPath(new URL('./inside', import.meta.url))
const packageFolder = (name: string) => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))

export function codeProgram(
  { python, agentBrowser }: CodePrograms,
  { megabytes, files }: CodeLimits,
): Omit<SandboxedProgram, 'channels' | 'ports'> {
  return {
    command: ['bash', `${sandboxFolder}/code/supervise.sh`],
    environment: {
      PATH: `${sandboxFolder}:${sandboxFolder}/python/bin:/usr/local/bin:/usr/bin:/bin`,
      HOME: '/tmp/home',
      LANG: 'C.UTF-8',
      NODE_PATH: sandboxFolder,
      // Both languages use the same Node, so that its memory pages are shared.
      PLAYWRIGHT_NODEJS_PATH: `${sandboxFolder}/node`,
      PYTHONDONTWRITEBYTECODE: '1',
      AGENT_BROWSER_CDP: '9222',
      // Runs as long as the sandbox, so that a later call can use the state of an earlier call.
      AGENT_BROWSER_IDLE_TIMEOUT_MS: '0',
    },
    readable: [
      { from: insideFolder, to: `${sandboxFolder}/code` },
      { from: packageFolder('playwright-core'), to: `${sandboxFolder}/playwright-core` },
      { from: packageFolder('acorn'), to: `${sandboxFolder}/acorn` },
      { from: `${insideFolder}/agent-browser.sh`, to: `${sandboxFolder}/agent-browser` },
      ...(agentBrowser === undefined
        ? []
        : [{ from: agentBrowser, to: `${sandboxFolder}/agent-browser-program` }]),
      ...(python === undefined ? [] : [{ from: python, to: `${sandboxFolder}/python` }]),
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
