import { join } from 'node:path'
import { codeEnvironment, codeProgramsToInstall, installCodePrograms } from './code.mjs'
import { withLock } from './lock.mjs'
import { findNode, installNode } from './node.mjs'
import { installPackages, packagesReady } from './packages.mjs'
import { withProgramFirst } from './path.mjs'
import { SetupError } from './report.mjs'
import { environmentWith, findTools, installTools, toolsToInstall } from './tools.mjs'

/**
 * Installs everything that a command needs. If nothing is missing, it only reads a few small files.
 * @param {import('./commands.mjs').Command} command
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<{ node: string, environment: NodeJS.ProcessEnv }>}
 */
export async function prepare(command, paths, environment) {
  const ready = await checkReady(command, paths, environment)
  if (ready) return ready
  try {
    return await withLock(join(paths.prepared, 'lock'), () => installMissing(command, paths, environment))
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
    throw new SetupError(`Preparation is not finished and this user cannot write here: ${error.message}`)
  }
}

/**
 * @param {import('./commands.mjs').Command} command
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {NodeJS.ProcessEnv} environment
 */
async function checkReady(command, paths, environment) {
  const node = findNode(paths)
  if (!node || !packagesReady(paths, command.packages)) return undefined
  const ownEnvironment = withProgramFirst(environment, 'node', node)
  if (command.tools === 'none') return { node, environment: ownEnvironment }
  const request = { paths, environment: ownEnvironment, ...toInstallOptions(command) }
  const statuses = await findTools(request)
  if (toolsToInstall(request, statuses).length > 0 || codeProgramsToInstall(request, statuses).length > 0)
    return undefined
  return { node, environment: { ...environmentWith(request, statuses), ...codeEnvironment(request) } }
}

/**
 * @param {import('./commands.mjs').Command} command
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {NodeJS.ProcessEnv} environment
 */
async function installMissing(command, paths, environment) {
  const node = findNode(paths) ?? (await installNode(paths, environment))
  const ownEnvironment = withProgramFirst(environment, 'node', node)
  if (!packagesReady(paths, command.packages))
    await installPackages(paths, command.packages, node, ownEnvironment)
  if (command.tools === 'none') return { node, environment: ownEnvironment }
  const request = { paths, environment: ownEnvironment, ...toInstallOptions(command), node }
  const found = await findTools(request)
  const missing = toolsToInstall(request, found)
  const statuses = missing.length > 0 ? await installTools(request, missing) : found
  const codePrograms = codeProgramsToInstall(request, statuses)
  if (codePrograms.length > 0) await installCodePrograms(request, codePrograms)
  return { node, environment: { ...environmentWith(request, statuses), ...codeEnvironment(request) } }
}

/** @param {import('./commands.mjs').Command} command */
function toInstallOptions({ tools }) {
  return { ignoreRecords: tools === 'again', forTests: tools === 'tests', forModelTests: tools === 'model' }
}
