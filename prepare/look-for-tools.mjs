import { runQuietly } from './child.mjs'
import { candidates } from './find-tool.mjs'
import { isProgram } from './path.mjs'
import { tools } from './tool-list.mjs'
import { userSetting } from './user-setting.mjs'

/**
 * @typedef {object} Finding
 * @property {string} [path]
 * @property {string} [version]
 * @property {string} [by] the variable that named it
 * @property {string} [missing] why there is none and what to do
 * @property {Record<string, string>} [refused] programs that are there but did not run, and what they said
 *
 * @typedef {Record<string, Finding>} Findings
 */

/**
 * Runs nothing for a tool whose recorded path still stands, and tries a program that did not run only once.
 * @param {import('./paths.mjs').Places} places
 * @param {NodeJS.ProcessEnv} environment
 * @param {Findings} recorded
 * @param {import('./tool-list.mjs').Tool[]} [wanted]
 * @returns {Promise<Findings>}
 */
export async function lookForTools(places, environment, recorded, wanted = tools) {
  /** @type {Findings} */
  const findings = {}
  for (const tool of wanted) {
    findings[tool.name] = await lookFor(tool, places, environment, recorded[tool.name])
  }
  return findings
}

/**
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {import('./paths.mjs').Places} places
 * @param {NodeJS.ProcessEnv} environment
 * @param {Finding | undefined} recorded
 * @returns {Promise<Finding>}
 */
async function lookFor(tool, places, environment, recorded) {
  const named = tool.variable && userSetting(tool.variable, environment, places.root)
  if (recorded?.path && isStillRight(recorded, tool, named)) return recorded
  if (named && tool.variable) return tryNamed(tool, named, tool.variable, environment)
  const refused = { ...recorded?.refused }
  for (const path of candidates(tool, environment, places.prepared)) {
    if (path in refused) continue
    const { version, problem } = await tryProgram(path, tool.versionFlag, environment)
    if (problem === undefined) return { path, version }
    refused[path] = problem
  }
  return { missing: 'not found', ...(Object.keys(refused).length > 0 && { refused }) }
}

/**
 * @param {Finding} recorded
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {string | undefined} named
 */
function isStillRight(recorded, tool, named) {
  const sameChoice = named ? recorded.path === named : recorded.by !== tool.variable || !tool.variable
  return sameChoice && isProgram(recorded.path ?? '')
}

/**
 * What the user named is used or reported, never replaced.
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {string} path
 * @param {string} variable
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<Finding>}
 */
async function tryNamed(tool, path, variable, environment) {
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
