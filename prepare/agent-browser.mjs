import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installLocked } from './npm.mjs'
import { isProgram } from './path.mjs'
import { hashOf, readRecord, writeRecord } from './records.mjs'
import { Refusal } from './report.mjs'

/**
 * Returns the path of the program agent-browser; undefined if it is not installed, or the lock file has changed since.
 * @param {import('./paths.mjs').Places} places
 * @returns {string | undefined}
 */
export function preparedAgentBrowser(places) {
  const isCurrent = readRecord(recordFile(places))?.lock === hashOf(lockFile(places))
  return isCurrent && isProgram(program(places)) ? program(places) : undefined
}

/**
 * Installs agent-browser. The package has a program for each of seven platforms; only the one that runs is kept.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function bringAgentBrowser(places, { environment, node }) {
  const draft = join(places.prepared, 'agent-browser.new')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    for (const name of ['package.json', 'package-lock.json']) {
      copyFileSync(join(places.runtime, 'agent-browser', name), join(draft, name))
    }
    await installLocked(draft, ['--ignore-scripts', '--omit=dev'], node, environment)
    const packageFolder = join(draft, 'node_modules', 'agent-browser')
    const workingProgram = await findWorkingProgram(join(packageFolder, 'bin'), environment)
    mkdirSync(folder(places), { recursive: true })
    rmSync(program(places), { force: true })
    copyFileSync(workingProgram, program(places))
    copyFileSync(join(packageFolder, 'LICENSE'), join(folder(places), 'LICENSE'))
    // The sandbox runs as another user.
    chmodSync(program(places), 0o755)
    chmodSync(folder(places), 0o755)
    writeRecord(recordFile(places), { lock: hashOf(lockFile(places)) })
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
  throw new Refusal(`agent-browser has no binary for ${process.platform} ${process.arch}`)
}

/** @param {import('./paths.mjs').Places} places */
function folder(places) {
  return join(places.prepared, 'agent-browser')
}

/** @param {import('./paths.mjs').Places} places */
function program(places) {
  return join(folder(places), 'agent-browser')
}

/** @param {import('./paths.mjs').Places} places */
function lockFile(places) {
  return join(places.runtime, 'agent-browser', 'package-lock.json')
}

/** @param {import('./paths.mjs').Places} places */
function recordFile(places) {
  return join(places.prepared, 'agent-browser.json')
}
