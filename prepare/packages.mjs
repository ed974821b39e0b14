import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installLocked } from './npm.mjs'
import { step } from './report.mjs'
import { hashOf, readRecord, writeRecord } from './state-files.mjs'

/**
 * @typedef {'production' | 'all'} Scope
 */

/**
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {Scope} requestedScope
 */
export function packagesReady(paths, requestedScope) {
  const record = readRecord(recordFile(paths))
  return (
    record?.complete === true &&
    (record.scope === 'all' || requestedScope === 'production') &&
    record.platform === platform() &&
    record.lock === hashOf(lockFile(paths)) &&
    existsSync(installedList(paths))
  )
}

/**
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {Scope} requestedScope
 * @param {string} node
 * @param {NodeJS.ProcessEnv} environment
 */
export async function installPackages(paths, requestedScope, node, environment) {
  const scope = scopeToInstall(paths, requestedScope)
  const lock = hashOf(lockFile(paths))
  const record = { scope, platform: platform(), lock }
  // The record is written before npm starts, so that an interrupted install is repeated with the same scope.
  writeRecord(recordFile(paths), { ...record, complete: false })
  // A flag is always passed, because NODE_ENV and the settings of npm change the default.
  const flag = scope === 'all' ? '--include=dev' : '--omit=dev'
  await step('Installing packages', () => installLocked(paths.root, [flag], node, environment))
  writeRecord(recordFile(paths), { ...record, complete: true })
}

/**
 * Returns the scope to install. Installed packages for development stay installed.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {Scope} requestedScope
 * @returns {Scope}
 */
export function scopeToInstall(paths, requestedScope) {
  if (requestedScope === 'all' || readRecord(recordFile(paths))?.scope === 'all') return 'all'
  const list = installedList(paths)
  return existsSync(list) && readFileSync(list, 'utf8').includes('"dev": true') ? 'all' : 'production'
}

function platform() {
  return `${process.platform}-${process.arch}`
}

/**
 * Returns the path of npm's list of installed packages. npm writes it at the end of an install.
 * @param {import('./paths.mjs').ProjectPaths} paths
 */
function installedList(paths) {
  return join(paths.root, 'node_modules', '.package-lock.json')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function lockFile(paths) {
  return join(paths.root, 'package-lock.json')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function recordFile(paths) {
  return join(paths.prepared, 'packages.json')
}
