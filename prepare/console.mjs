import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installLocked } from './npm.mjs'
import { hashOf, readRecord, writeRecord } from './records.mjs'
import { Refusal } from './report.mjs'

const limit = 5 * 60_000

/**
 * @param {import('./paths.mjs').Places} places
 * @returns {string | undefined} the folder of the console, if an earlier run built it from what is there now
 */
export function preparedConsole(places) {
  const isCurrent = readRecord(recordFile(places))?.sources === hashOfSources(places)
  return isCurrent && existsSync(join(folder(places), 'index.html')) ? folder(places) : undefined
}

/**
 * The packages that it is built with stay, so that the next build takes seconds.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function buildConsole(places, { environment, node }) {
  const sources = hashOfSources(places)
  const project = join(places.root, 'console')
  await installConsolePackages(places, { environment, node })
  const draft = `${folder(places)}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  const vite = join(project, 'node_modules', 'vite', 'bin', 'vite.js')
  const { code, output } = await runQuietly(
    node,
    [vite, 'build', project, '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn'],
    { folder: project, environment: { ...environment, NODE_ENV: 'production' }, limit },
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
  // NODE_ENV of the user would leave out what builds.
  if (!hasPackages(project))
    await installLocked(project, ['--include=dev', '--ignore-scripts'], node, environment)
}

/** @param {string} project */
function hasPackages(project) {
  const installed = join(project, 'node_modules', '.package-lock.json')
  if (!existsSync(installed) || !existsSync(join(project, 'node_modules', 'vite'))) return false
  const wanted = Object.entries(readRecord(join(project, 'package-lock.json'))?.packages ?? {})
  const there = readRecord(installed)?.packages ?? {}
  // The project itself has no place. Optional packages are for other platforms, or left out by npm itself.
  return wanted.every(([place, { version, optional }]) =>
    there[place] ? there[place].version === version : place === '' || optional,
  )
}

/** @param {import('./paths.mjs').Places} places */
function hashOfSources(places) {
  const project = join(places.root, 'console')
  if (!existsSync(project)) return undefined
  const hash = createHash('sha256')
  const files = [
    ...filesIn(join(project, 'src'), { recursive: true }),
    // It speaks to the service by the library.
    ...filesIn(join(places.root, 'client', 'src'), { recursive: false }),
    ...['index.html', 'vite.config.ts', 'package-lock.json'].map((name) => join(project, name)),
  ]
  for (const file of files.sort()) hash.update(file.slice(places.root.length)).update(hashOf(file))
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @param {{ recursive: boolean }} how
 */
function filesIn(path, { recursive }) {
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
