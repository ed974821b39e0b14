import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { installLocked } from './npm.mjs'
import { isProgram } from './path.mjs'
import { SetupError, step } from './report.mjs'
import { hashOf, readRecord, writeRecord } from './state-files.mjs'
import { compareVersions } from './versions.mjs'

const minVersion = '24.0.0'

/**
 * Returns the path of a Node that can run the service; undefined if none is installed.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {string} [version] version of the Node that runs this process
 * @returns {string | undefined}
 */
export function findNode(paths, version = process.versions.node) {
  if (compareVersions(version, minVersion) >= 0) return process.execPath
  const program = packagedNode(paths)
  const isCurrent = readRecord(recordFile(paths))?.lock === hashOf(lockFile(paths))
  return isCurrent && isProgram(program) ? program : undefined
}

/**
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<string>} path of the installed Node
 */
export async function installNode(paths, environment) {
  const { optionalDependencies } = readRecord(join(paths.runtime, 'package.json'))
  const version = optionalDependencies[packageName()]
  if (version === undefined)
    throw new SetupError(manualInstallMessage(`no Node package exists for ${platform()}`))
  await step(`Installing Node ${version}, because this machine has ${process.versions.node}`, async () => {
    await installLocked(paths.runtime, ['--ignore-scripts'], process.execPath, environment)
    const problem = findProblem(packagedNode(paths))
    if (problem) throw new SetupError(manualInstallMessage(problem))
  })
  writeRecord(recordFile(paths), { lock: hashOf(lockFile(paths)) })
  return packagedNode(paths)
}

/**
 * Returns the reason why the packaged Node cannot be used. npm skips an optional package that it cannot download. A
 * package for another C library installs, but does not run.
 * @param {string} program
 */
function findProblem(program) {
  if (!isProgram(program)) return 'npm could not download the Node package'
  try {
    execFileSync(program, ['--version'], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return `the packaged Node does not run here (${String(error.stderr || error.message).trim()})`
  }
}

/** @param {string} reason */
function manualInstallMessage(reason) {
  const currentNode = `This machine has Node ${process.versions.node}`
  return `${currentNode}, the service needs ${minVersion} or newer, and ${reason}.\nInstall Node 24 or newer and start again.`
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function packagedNode(paths) {
  return join(paths.runtime, 'node_modules', packageName(), 'bin', 'node')
}

function packageName() {
  return `node-${platform()}`
}

function platform() {
  return `${process.platform}-${process.arch}`
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function lockFile(paths) {
  return join(paths.runtime, 'package-lock.json')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function recordFile(paths) {
  return join(paths.prepared, 'node.json')
}
