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
 * @param {Scope} wanted
 */
export function packagesReady(places, wanted) {
  const record = readRecord(recordFile(places))
  return (
    record?.complete === true &&
    (record.scope === 'all' || wanted === 'production') &&
    record.platform === platform() &&
    record.lock === hashOf(lockFile(places)) &&
    existsSync(installedList(places))
  )
}

/**
 * @param {import('./paths.mjs').Places} places
 * @param {Scope} wanted
 * @param {string} node
 * @param {NodeJS.ProcessEnv} environment
 */
export async function installPackages(places, wanted, node, environment) {
  const scope = scopeToInstall(places, wanted)
  const lock = hashOf(lockFile(places))
  const record = { scope, platform: platform(), lock }
  // Said before npm begins, so that an install that is cut short is done again, with the same scope.
  writeRecord(recordFile(places), { ...record, complete: false })
  // Both are said outright, since NODE_ENV and npm's own settings can mean either.
  const flag = scope === 'all' ? '--include=dev' : '--omit=dev'
  await step('Installing packages', () => installLocked(places.root, [flag], node, environment))
  writeRecord(recordFile(places), { ...record, complete: true })
}

/**
 * Where the packages for development are installed, they stay.
 * @param {import('./paths.mjs').Places} places
 * @param {Scope} wanted
 * @returns {Scope}
 */
export function scopeToInstall(places, wanted) {
  if (wanted === 'all' || readRecord(recordFile(places))?.scope === 'all') return 'all'
  const list = installedList(places)
  return existsSync(list) && readFileSync(list, 'utf8').includes('"dev": true') ? 'all' : 'production'
}

function platform() {
  return `${process.platform}-${process.arch}`
}

/**
 * npm's own list of what it put into node_modules, written when it is through.
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
