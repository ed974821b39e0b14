import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installLocked } from './npm.mjs'
import { isProgram } from './path.mjs'
import { hashOf, readRecord, writeRecord } from './records.mjs'
import { Refusal } from './report.mjs'

/**
 * @param {import('./paths.mjs').Places} places
 * @returns {string | undefined} the program agent-browser, if an earlier run brought it
 */
export function preparedAgentBrowser(places) {
  const isCurrent = readRecord(recordFile(places))?.lock === hashOf(lockFile(places))
  return isCurrent && isProgram(program(places)) ? program(places) : undefined
}

/**
 * Of the package, which holds a program for each of seven platforms, only the one that runs here is kept.
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
    const found = join(draft, 'node_modules', 'agent-browser')
    const chosen = await programThatRuns(join(found, 'bin'), environment)
    mkdirSync(folder(places), { recursive: true })
    rmSync(program(places), { force: true })
    copyFileSync(chosen, program(places))
    copyFileSync(join(found, 'LICENSE'), join(folder(places), 'LICENSE'))
    // The sandbox is another user.
    chmodSync(program(places), 0o755)
    chmodSync(folder(places), 0o755)
    writeRecord(recordFile(places), { lock: hashOf(lockFile(places)) })
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * The program that runs shows best which C library a system has.
 * @param {string} programs
 * @param {NodeJS.ProcessEnv} environment
 */
async function programThatRuns(programs, environment) {
  for (const system of ['linux', 'linux-musl']) {
    const candidate = join(programs, `agent-browser-${system}-${process.arch}`)
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
