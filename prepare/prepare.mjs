import { join } from 'node:path'
import { codeEnvironment, codeToPrepare, prepareCode } from './code.mjs'
import { withLock } from './lock.mjs'
import { findNode, installNode } from './node.mjs'
import { installPackages, packagesReady } from './packages.mjs'
import { withProgramFirst } from './path.mjs'
import { Refusal } from './report.mjs'
import { environmentWith, findTools, installTools, toolsToInstall } from './tools.mjs'

/**
 * Installs everything that a command needs. If nothing is missing, it only reads a few small files.
 * @param {import('./commands.mjs').Command} command
 * @param {import('./paths.mjs').Places} places
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<{ node: string, environment: NodeJS.ProcessEnv }>}
 */
export async function prepare(command, places, environment) {
  const ready = await checkReady(command, places, environment)
  if (ready) return ready
  try {
    return await withLock(join(places.prepared, 'lock'), () => installMissing(command, places, environment))
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
    throw new Refusal(`Preparation is not finished and this user cannot write here: ${error.message}`)
  }
}

/**
 * @param {import('./commands.mjs').Command} command
 * @param {import('./paths.mjs').Places} places
 * @param {NodeJS.ProcessEnv} environment
 */
async function checkReady(command, places, environment) {
  const node = findNode(places)
  if (!node || !packagesReady(places, command.packages)) return undefined
  const ownEnvironment = withProgramFirst(environment, 'node', node)
  if (command.tools === 'none') return { node, environment: ownEnvironment }
  const request = { places, environment: ownEnvironment, ...toInstallOptions(command) }
  const findings = await findTools(request)
  if (toolsToInstall(request, findings).length > 0 || codeToPrepare(request, findings).length > 0)
    return undefined
  return { node, environment: { ...environmentWith(request, findings), ...codeEnvironment(request) } }
}

/**
 * @param {import('./commands.mjs').Command} command
 * @param {import('./paths.mjs').Places} places
 * @param {NodeJS.ProcessEnv} environment
 */
async function installMissing(command, places, environment) {
  const node = findNode(places) ?? (await installNode(places, environment))
  const ownEnvironment = withProgramFirst(environment, 'node', node)
  if (!packagesReady(places, command.packages))
    await installPackages(places, command.packages, node, ownEnvironment)
  if (command.tools === 'none') return { node, environment: ownEnvironment }
  const request = { places, environment: ownEnvironment, ...toInstallOptions(command), node }
  const found = await findTools(request)
  const missing = toolsToInstall(request, found)
  const findings = missing.length > 0 ? await installTools(request, missing) : found
  const code = codeToPrepare(request, findings)
  if (code.length > 0) await prepareCode(request, code)
  return { node, environment: { ...environmentWith(request, findings), ...codeEnvironment(request) } }
}

/** @param {import('./commands.mjs').Command} command */
function toInstallOptions({ tools }) {
  return { again: tools === 'again', forTests: tools === 'tests', forModelTests: tools === 'model' }
}
