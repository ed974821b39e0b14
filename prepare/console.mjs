import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installLocked } from './npm.mjs'
import { hashOf, readRecord, writeRecord } from './records.mjs'
import { Refusal } from './report.mjs'

const buildTimeoutMs = 5 * 60_000

/**
 * Returns the folder of the built console; undefined if it is not built, or a source has changed since.
 * @param {import('./paths.mjs').Places} places
 * @returns {string | undefined}
 */
export function preparedConsole(places) {
  const isCurrent = readRecord(recordFile(places))?.sources === hashSources(places)
  return isCurrent && existsSync(join(folder(places), 'index.html')) ? folder(places) : undefined
}

/**
 * Builds the console. The packages of the build stay installed, so that the next build takes seconds.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function buildConsole(places, { environment, node }) {
  const sources = hashSources(places)
  const project = join(places.root, 'console')
  await installConsolePackages(places, { environment, node })
  const draft = `${folder(places)}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  const vite = join(project, 'node_modules', 'vite', 'bin', 'vite.js')
  const { code, output } = await runQuietly(
    node,
    [vite, 'build', project, '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn'],
    { folder: project, environment: { ...environment, NODE_ENV: 'production' }, limit: buildTimeoutMs },
  )
  if (code !== 0) throw new Refusal(`the console could not be built (${output.trim().slice(-300)})`)
  rmSync(folder(places), { recursive: true, force: true })
  renameSync(draft, folder(places))
  writeRecord(recordFile(places), { sources })
}

/**
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function installConsolePackages(places, { environment, node }) {
  const project = join(places.root, 'console')
  // Without `--include=dev`, NODE_ENV=production of the user would omit the packages of the build.
  if (!hasPackages(project))
    await installLocked(project, ['--include=dev', '--ignore-scripts'], node, environment)
}

/** @param {string} project */
function hasPackages(project) {
  const installedFile = join(project, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile) || !existsSync(join(project, 'node_modules', 'vite'))) return false
  const expected = Object.entries(readRecord(join(project, 'package-lock.json'))?.packages ?? {})
  const installed = readRecord(installedFile)?.packages ?? {}
  // The list of installed packages has no entry for the project itself, nor for optional packages that npm skipped.
  return expected.every(([path, { version, optional }]) =>
    installed[path] ? installed[path].version === version : path === '' || optional,
  )
}

/** @param {import('./paths.mjs').Places} places */
function hashSources(places) {
  const project = join(places.root, 'console')
  if (!existsSync(project)) return undefined
  const hash = createHash('sha256')
  const files = [
    ...listFiles(join(project, 'src'), { recursive: true }),
    // The console calls the service through the client library.
    ...listFiles(join(places.root, 'client', 'src'), { recursive: false }),
    ...['index.html', 'vite.config.ts', 'package-lock.json'].map((name) => join(project, name)),
  ]
  for (const file of files.sort()) hash.update(file.slice(places.root.length)).update(hashOf(file))
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @param {{ recursive: boolean }} options
 */
function listFiles(path, { recursive }) {
  return readdirSync(path, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** @param {import('./paths.mjs').Places} places */
function folder(places) {
  return join(places.prepared, 'console')
}

/** @param {import('./paths.mjs').Places} places */
function recordFile(places) {
  return join(places.prepared, 'console.json')
}
