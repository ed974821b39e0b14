import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installLocked } from './npm.mjs'
import { hashOf, readRecord, writeRecord } from './records.mjs'
import { step } from './report.mjs'

/**
 * @typedef {'production' | 'all'} Scope
 */

/**
 * @param {import('./paths.mjs').Places} places
 * @param {Scope} requestedScope
 */
export function packagesReady(places, requestedScope) {
  const record = readRecord(recordFile(places))
  return (
    record?.complete === true &&
    (record.scope === 'all' || requestedScope === 'production') &&
    record.platform === platform() &&
    record.lock === hashOf(lockFile(places)) &&
    existsSync(installedList(places))
  )
}

/**
 * @param {import('./paths.mjs').Places} places
 * @param {Scope} requestedScope
 * @param {string} node
 * @param {NodeJS.ProcessEnv} environment
 */
export async function installPackages(places, requestedScope, node, environment) {
  const scope = scopeToInstall(places, requestedScope)
  const lock = hashOf(lockFile(places))
  const record = { scope, platform: platform(), lock }
  // The record is written before npm starts, so that an interrupted install is repeated with the same scope.
  writeRecord(recordFile(places), { ...record, complete: false })
  // A flag is always passed, because NODE_ENV and the settings of npm change the default.
  const flag = scope === 'all' ? '--include=dev' : '--omit=dev'
  await step('Installing packages', () => installLocked(places.root, [flag], node, environment))
  writeRecord(recordFile(places), { ...record, complete: true })
}

/**
 * Returns the scope to install. Installed packages for development stay installed.
 * @param {import('./paths.mjs').Places} places
 * @param {Scope} requestedScope
 * @returns {Scope}
 */
export function scopeToInstall(places, requestedScope) {
  if (requestedScope === 'all' || readRecord(recordFile(places))?.scope === 'all') return 'all'
  const list = installedList(places)
  return existsSync(list) && readFileSync(list, 'utf8').includes('"dev": true') ? 'all' : 'production'
}

function platform() {
  return `${process.platform}-${process.arch}`
}

/**
 * Returns the path of npm's list of installed packages. npm writes it at the end of an install.
 * @param {import('./paths.mjs').Places} places
 */
function installedList(places) {
  return join(places.root, 'node_modules', '.package-lock.json')
}

/** @param {import('./paths.mjs').Places} places */
function lockFile(places) {
  return join(places.root, 'package-lock.json')
}

/** @param {import('./paths.mjs').Places} places */
function recordFile(places) {
  return join(places.prepared, 'packages.json')
}
