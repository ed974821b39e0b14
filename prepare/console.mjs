import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installLocked } from './npm.mjs'
import { SetupError } from './report.mjs'
import { hashOf, readRecord, writeRecord } from './state-files.mjs'

const buildTimeoutMs = 5 * 60_000

/**
 * Returns the folder of the built console; undefined if it is not built, or a source has changed since.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @returns {string | undefined}
 */
export function preparedConsole(paths) {
  const isCurrent = readRecord(recordFile(paths))?.sources === hashSources(paths)
  return isCurrent && existsSync(join(folder(paths), 'index.html')) ? folder(paths) : undefined
}

/**
 * Builds the console. The packages of the build stay installed, so that the next build takes seconds.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function buildConsole(paths, { environment, node }) {
  const sources = hashSources(paths)
  const project = join(paths.root, 'console')
  await installConsolePackages(paths, { environment, node })
  const draft = `${folder(paths)}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  const vite = join(project, 'node_modules', 'vite', 'bin', 'vite.js')
  const { code, output } = await runQuietly(
    node,
    [vite, 'build', project, '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn'],
    { folder: project, environment: { ...environment, NODE_ENV: 'production' }, limit: buildTimeoutMs },
  )
  if (code !== 0) throw new SetupError(`the console could not be built (${output.trim().slice(-300)})`)
  rmSync(folder(paths), { recursive: true, force: true })
  renameSync(draft, folder(paths))
  writeRecord(recordFile(paths), { sources })
}

/**
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function installConsolePackages(paths, { environment, node }) {
  const project = join(paths.root, 'console')
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

/** @param {import('./paths.mjs').ProjectPaths} paths */
function hashSources(paths) {
  const project = join(paths.root, 'console')
  if (!existsSync(project)) return undefined
  const hash = createHash('sha256')
  const files = [
    ...listFiles(join(project, 'src'), { recursive: true }),
    // The console calls the service through the client library.
    ...listFiles(join(paths.root, 'client', 'src'), { recursive: false }),
    ...['index.html', 'vite.config.ts', 'package-lock.json'].map((name) => join(project, name)),
  ]
  for (const file of files.sort()) hash.update(file.slice(paths.root.length)).update(hashOf(file))
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

/** @param {import('./paths.mjs').ProjectPaths} paths */
function folder(paths) {
  return join(paths.prepared, 'console')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function recordFile(paths) {
  return join(paths.prepared, 'console.json')
}
