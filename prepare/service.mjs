import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installConsolePackages } from './console.mjs'
import { readRecord, writeRecord } from './records.mjs'
import { Refusal } from './report.mjs'

const bundleTimeoutMs = 5 * 60_000

/**
 * Returns the program of the bundled service; undefined if it is not built, or a source has changed since. Node loads
 * few bundled files faster than more than two thousand sources.
 * @param {import('./paths.mjs').Places} places
 * @returns {string | undefined}
 */
export function preparedService(places) {
  const isCurrent = readRecord(recordFile(places))?.sources === hashSourceStats(places)
  return isCurrent && existsSync(program(places)) ? program(places) : undefined
}

/**
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function bundleService(places, { environment, node }) {
  const sources = hashSourceStats(places)
  await installConsolePackages(places, { environment, node })
  const draft = `${folder(places)}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  const script = join(places.root, 'prepare', 'bundle.mjs')
  const { code, output } = await runQuietly(node, [script, places.root, draft], {
    folder: places.root,
    environment,
    limit: bundleTimeoutMs,
  })
  if (code !== 0) throw new Refusal(`the service could not be bundled (${output.trim().slice(-300)})`)
  rmSync(folder(places), { recursive: true, force: true })
  renameSync(draft, folder(places))
  writeRecord(recordFile(places), { sources })
}

/**
 * Returns a hash that changes with every source. As in make, it uses sizes and modification times, because reading all
 * files on each startup would take too long.
 * @param {import('./paths.mjs').Places} places
 */
function hashSourceStats(places) {
  const sources = join(places.root, 'src')
  if (!existsSync(sources)) return undefined
  const hash = createHash('sha256')
  const files = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  const otherFiles = ['package-lock.json', 'prepare/bundle.mjs'].map((name) => join(places.root, name))
  for (const file of [...otherFiles, ...files].sort()) {
    const { size, mtimeNs } = statSync(file, { bigint: true })
    hash.update(`${file.slice(places.root.length)} ${size} ${mtimeNs}\n`)
  }
  return hash.digest('hex')
}

/** @param {import('./paths.mjs').Places} places */
function program(places) {
  return join(folder(places), 'main.js')
}

/** @param {import('./paths.mjs').Places} places */
function folder(places) {
  return join(places.prepared, 'service')
}

/** @param {import('./paths.mjs').Places} places */
function recordFile(places) {
  return join(places.prepared, 'service.json')
}
