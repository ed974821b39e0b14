import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installLocked } from './npm.mjs'
import { isProgram } from './path.mjs'
import { hashOf, readRecord, writeRecord } from './records.mjs'
import { Refusal } from './report.mjs'

/** Scopes of the packages for each platform, and the path of the program in these packages. */
const programs = { deno: { scope: '@deno', program: 'deno' }, bun: { scope: '@oven', program: 'bin/bun' } }

/**
 * Returns the folder of deno and bun; undefined if one is not installed, or the lock file has changed.
 * @param {import('./paths.mjs').Places} places
 * @returns {string | undefined}
 */
export function preparedJavascriptRuntimes(places) {
  const isCurrent = readRecord(recordFile(places))?.lock === hashOf(lockFile(places))
  const hasAll = Object.keys(programs).every((name) => isProgram(join(folder(places), name)))
  return isCurrent && hasAll ? folder(places) : undefined
}

/**
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function bringJavascriptRuntimes(places, { environment, node }) {
  const draft = `${folder(places)}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    for (const name of ['package.json', 'package-lock.json']) {
      copyFileSync(join(places.runtime, 'javascript', name), join(draft, name))
    }
    // The package scripts are unnecessary: they only move or download the programs.
    await installLocked(draft, ['--ignore-scripts'], node, environment)
    for (const [name, { scope, program }] of Object.entries(programs)) {
      const packages = join(draft, 'node_modules', scope)
      renameSync(await findWorkingProgram(packages, program, environment), join(draft, name))
    }
    rmSync(join(draft, 'node_modules'), { recursive: true })
    rmSync(folder(places), { recursive: true, force: true })
    renameSync(draft, folder(places))
    writeRecord(recordFile(places), { lock: hashOf(lockFile(places)) })
  } finally {
    if (existsSync(draft)) rmSync(draft, { recursive: true })
  }
}

/**
 * Returns the first program that runs.
 * @param {string} packages folder of the packages
 * @param {string} program path of the program in each package
 * @param {NodeJS.ProcessEnv} environment
 */
async function findWorkingProgram(packages, program, environment) {
  for (const name of existsSync(packages) ? readdirSync(packages) : []) {
    const candidate = join(packages, name, program)
    const { code } = await runQuietly(candidate, ['--version'], { environment, limit: 20_000 })
    if (code === 0) return candidate
  }
  throw new Refusal(`there is no ${program} for ${process.platform} ${process.arch}`)
}

/** @param {import('./paths.mjs').Places} places */
function folder(places) {
  return join(places.prepared, 'javascript-runtimes')
}

/** @param {import('./paths.mjs').Places} places */
function lockFile(places) {
  return join(places.runtime, 'javascript', 'package-lock.json')
}

/** @param {import('./paths.mjs').Places} places */
function recordFile(places) {
  return join(places.prepared, 'javascript-runtimes.json')
}
