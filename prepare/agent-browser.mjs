import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installLocked } from './npm.mjs'
import { isProgram } from './path.mjs'
import { SetupError } from './report.mjs'
import { hashOf, readRecord, writeRecord } from './state-files.mjs'

/**
 * Returns the path of the program agent-browser; undefined if it is not installed, or the lock file has changed since.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @returns {string | undefined}
 */
export function preparedAgentBrowser(paths) {
  const isCurrent = readRecord(recordFile(paths))?.lock === hashOf(lockFile(paths))
  return isCurrent && isProgram(program(paths)) ? program(paths) : undefined
}

/**
 * Installs agent-browser. The package has a program for each of seven platforms; only the program that runs is copied.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function installAgentBrowser(paths, { environment, node }) {
  const draft = join(paths.prepared, 'agent-browser.new')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    for (const name of ['package.json', 'package-lock.json']) {
      copyFileSync(join(paths.runtime, 'agent-browser', name), join(draft, name))
    }
    await installLocked(draft, ['--ignore-scripts', '--omit=dev'], node, environment)
    const packageFolder = join(draft, 'node_modules', 'agent-browser')
    const workingProgram = await findWorkingProgram(join(packageFolder, 'bin'), environment)
    mkdirSync(folder(paths), { recursive: true })
    rmSync(program(paths), { force: true })
    copyFileSync(workingProgram, program(paths))
    copyFileSync(join(packageFolder, 'LICENSE'), join(folder(paths), 'LICENSE'))
    // The sandbox runs as another user.
    chmodSync(program(paths), 0o755)
    chmodSync(folder(paths), 0o755)
    writeRecord(recordFile(paths), { lock: hashOf(lockFile(paths)) })
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Returns the first program that runs. Running it is the most reliable check of the C library of the system.
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} environment
 */
async function findWorkingProgram(folder, environment) {
  for (const system of ['linux', 'linux-musl']) {
    const candidate = join(folder, `agent-browser-${system}-${process.arch}`)
    if (!existsSync(candidate)) continue
    chmodSync(candidate, 0o755)
    const { code } = await runQuietly(candidate, ['--version'], { environment, limit: 20_000 })
    if (code === 0) return candidate
  }
  throw new SetupError(`agent-browser has no binary for ${process.platform} ${process.arch}`)
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function folder(paths) {
  return join(paths.prepared, 'agent-browser')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function program(paths) {
  return join(folder(paths), 'agent-browser')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function lockFile(paths) {
  return join(paths.runtime, 'agent-browser', 'package-lock.json')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function recordFile(paths) {
  return join(paths.prepared, 'agent-browser.json')
}
