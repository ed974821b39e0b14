import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { installLocked } from './npm.mjs'
import { isProgram } from './path.mjs'
import { hashOf, readRecord, writeRecord } from './records.mjs'
import { Refusal, step } from './report.mjs'
import { compareVersions } from './versions.mjs'

const oldest = '24.0.0'

/**
 * @param {import('./paths.mjs').Places} places
 * @param {string} [version] of the Node that runs this
 * @returns {string | undefined} a Node that can run the service, if one is here
 */
export function findNode(places, version = process.versions.node) {
  if (compareVersions(version, oldest) >= 0) return process.execPath
  const program = packagedNode(places)
  const current = readRecord(recordFile(places))?.lock === hashOf(lockFile(places))
  return current && isProgram(program) ? program : undefined
}

/**
 * @param {import('./paths.mjs').Places} places
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<string>} the program
 */
export async function installNode(places, environment) {
  const { optionalDependencies } = readRecord(join(places.runtime, 'package.json'))
  const version = optionalDependencies[packageName()]
  if (version === undefined) throw new Refusal(installByHand(`no Node package exists for ${platform()}`))
  await step(`Installing Node ${version}, because this machine has ${process.versions.node}`, async () => {
    await installLocked(places.runtime, ['--ignore-scripts'], process.execPath, environment)
    const problem = problemOf(packagedNode(places))
    if (problem) throw new Refusal(installByHand(problem))
  })
  writeRecord(recordFile(places), { lock: hashOf(lockFile(places)) })
  return packagedNode(places)
}

/**
 * npm passes over an optional package it could not get, and one made for another C library installs but does not run.
 * @param {string} program
 */
function problemOf(program) {
  if (!isProgram(program)) return 'npm could not download the Node package'
  try {
    execFileSync(program, ['--version'], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return `the packaged Node does not run here (${String(error.stderr || error.message).trim()})`
  }
}

/** @param {string} reason */
function installByHand(reason) {
  const current = `This machine has Node ${process.versions.node}`
  return `${current}, the service needs ${oldest} or newer, and ${reason}.\nInstall Node 24 or newer and start again.`
}

/** @param {import('./paths.mjs').Places} places */
function packagedNode(places) {
  return join(places.runtime, 'node_modules', packageName(), 'bin', 'node')
}

function packageName() {
  return `node-${platform()}`
}

function platform() {
  return `${process.platform}-${process.arch}`
}

/** @param {import('./paths.mjs').Places} places */
function lockFile(places) {
  return join(places.runtime, 'package-lock.json')
}

/** @param {import('./paths.mjs').Places} places */
function recordFile(places) {
  return join(places.prepared, 'node.json')
}
