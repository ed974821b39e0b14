import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installLocked } from './npm.mjs'
import { isProgram } from './path.mjs'
import { SetupError } from './report.mjs'
import { hashOf, readRecord, writeRecord } from './state-files.mjs'

/** Scopes of the packages for each platform, and the path of the program in these packages. */
const programs = { deno: { scope: '@deno', program: 'deno' }, bun: { scope: '@oven', program: 'bin/bun' } }

/**
 * Returns the folder of deno and bun; undefined if one of them is not installed, or the lock file has changed since.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @returns {string | undefined}
 */
export function preparedJavascriptRuntimes(paths) {
  const isCurrent = readRecord(recordFile(paths))?.lock === hashOf(lockFile(paths))
  const hasAll = Object.keys(programs).every((name) => isProgram(join(folder(paths), name)))
  return isCurrent && hasAll ? folder(paths) : undefined
}

/**
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function installJavascriptRuntimes(paths, { environment, node }) {
  const draft = `${folder(paths)}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    for (const name of ['package.json', 'package-lock.json']) {
      copyFileSync(join(paths.runtime, 'javascript', name), join(draft, name))
    }
    // The package scripts are unnecessary: they only move or download the programs.
    await installLocked(draft, ['--ignore-scripts'], node, environment)
    for (const [name, { scope, program }] of Object.entries(programs)) {
      const packages = join(draft, 'node_modules', scope)
      renameSync(await findWorkingProgram(packages, program, environment), join(draft, name))
    }
    rmSync(join(draft, 'node_modules'), { recursive: true })
    rmSync(folder(paths), { recursive: true, force: true })
    renameSync(draft, folder(paths))
    writeRecord(recordFile(paths), { lock: hashOf(lockFile(paths)) })
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
  throw new SetupError(`there is no ${program} for ${process.platform} ${process.arch}`)
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function folder(paths) {
  return join(paths.prepared, 'javascript-runtimes')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function lockFile(paths) {
  return join(paths.runtime, 'javascript', 'package-lock.json')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function recordFile(paths) {
  return join(paths.prepared, 'javascript-runtimes.json')
}
