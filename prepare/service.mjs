import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installConsolePackages } from './console.mjs'
import { SetupError } from './report.mjs'
import { readRecord, writeRecord } from './state-files.mjs'

const bundleTimeoutMs = 5 * 60_000

/**
 * Returns the program of the bundled service; undefined if it is not built, or a source has changed since. Node loads
 * few bundled files faster than more than two thousand sources.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @returns {string | undefined}
 */
export function preparedService(paths) {
  const isCurrent = readRecord(recordFile(paths))?.sources === hashSourceStats(paths)
  return isCurrent && existsSync(program(paths)) ? program(paths) : undefined
}

/**
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function bundleService(paths, { environment, node }) {
  const sources = hashSourceStats(paths)
  await installConsolePackages(paths, { environment, node })
  const draft = `${folder(paths)}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  const script = join(paths.root, 'prepare', 'bundle.mjs')
  const { code, output } = await runQuietly(node, [script, paths.root, draft], {
    folder: paths.root,
    environment,
    limit: bundleTimeoutMs,
  })
  if (code !== 0) throw new SetupError(`the service could not be bundled (${output.trim().slice(-300)})`)
  rmSync(folder(paths), { recursive: true, force: true })
  renameSync(draft, folder(paths))
  writeRecord(recordFile(paths), { sources })
}

/**
 * Returns a hash that changes with every source. As in make, it uses sizes and modification times, because reading all
 * files on each startup would take too long.
 * @param {import('./paths.mjs').ProjectPaths} paths
 */
function hashSourceStats(paths) {
  const sources = join(paths.root, 'src')
  if (!existsSync(sources)) return undefined
  const hash = createHash('sha256')
  const files = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  const otherFiles = ['package-lock.json', 'prepare/bundle.mjs'].map((name) => join(paths.root, name))
  for (const file of [...otherFiles, ...files].sort()) {
    const { size, mtimeNs } = statSync(file, { bigint: true })
    hash.update(`${file.slice(paths.root.length)} ${size} ${mtimeNs}\n`)
  }
  return hash.digest('hex')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function program(paths) {
  return join(folder(paths), 'main.js')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function folder(paths) {
  return join(paths.prepared, 'service')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function recordFile(paths) {
  return join(paths.prepared, 'service.json')
}
