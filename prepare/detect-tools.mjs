import { runQuietly } from './child.mjs'
import { candidates } from './find-tool.mjs'
import { isProgram } from './path.mjs'
import { tools } from './tool-list.mjs'
import { userSetting } from './user-setting.mjs'

/**
 * @typedef {object} ToolStatus
 * @property {string} [path]
 * @property {string} [version]
 * @property {string} [by] environment variable that sets the path
 * @property {string} [missing] reason why the tool is missing, and advice
 * @property {Record<string, string>} [refused] programs that exist but did not run, each with its error
 *
 * @typedef {Record<string, ToolStatus>} ToolStatuses
 */

/**
 * Finds the tools. A valid recorded path is not checked again, and a program that did not run is tried only once.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {NodeJS.ProcessEnv} environment
 * @param {ToolStatuses} recorded
 * @param {import('./tool-list.mjs').Tool[]} [requested]
 * @returns {Promise<ToolStatuses>}
 */
export async function detectTools(paths, environment, recorded, requested = tools) {
  /** @type {ToolStatuses} */
  const statuses = {}
  for (const tool of requested) {
    statuses[tool.name] = await findTool(tool, paths, environment, recorded[tool.name])
  }
  return statuses
}

/**
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {NodeJS.ProcessEnv} environment
 * @param {ToolStatus | undefined} recorded
 * @returns {Promise<ToolStatus>}
 */
async function findTool(tool, paths, environment, recorded) {
  const userPath = tool.variable && userSetting(tool.variable, environment, paths.root)
  if (recorded?.path && isStillValid(recorded, tool, userPath)) return recorded
  if (userPath && tool.variable) return checkUserPath(tool, userPath, tool.variable, environment)
  const refused = { ...recorded?.refused }
  for (const path of candidates(tool, environment, paths.prepared)) {
    if (path in refused) continue
    const { version, problem } = await tryProgram(path, tool.versionFlag, environment)
    if (problem === undefined) return { path, version }
    refused[path] = problem
  }
  return { missing: 'not found', ...(Object.keys(refused).length > 0 && { refused }) }
}

/**
 * @param {ToolStatus} recorded
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {string | undefined} userPath
 */
function isStillValid(recorded, tool, userPath) {
  const isSameChoice = userPath ? recorded.path === userPath : recorded.by !== tool.variable || !tool.variable
  return isSameChoice && isProgram(recorded.path ?? '')
}

/**
 * Checks the program that the user set. A program that does not work is reported, and not replaced.
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {string} path
 * @param {string} variable
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<ToolStatus>}
 */
async function checkUserPath(tool, path, variable, environment) {
  if (!isProgram(path)) return { missing: `${variable} is ${path}, which is not a program`, by: variable }
  const { version, problem } = await tryProgram(path, tool.versionFlag, environment)
  if (problem === undefined) return { path, version, by: variable }
  return { missing: `${variable} is ${path}, which does not run: ${problem}`, by: variable }
}

/**
 * @param {string} path
 * @param {string} flag
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<{ version: string, problem?: string }>}
 */
async function tryProgram(path, flag, environment) {
  const { code, output } = await runQuietly(path, [flag], { environment, limit: 20_000 })
  const version = /\d+(\.\d+)+/.exec(output)?.[0]
  if (code === 0 && version) return { version, problem: undefined }
  return { version: '', problem: output.trim().split('\n')[0]?.slice(0, 300) || `ended with code ${code}` }
}
