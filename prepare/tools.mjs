import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { hasApt, installWithApt } from './apt.mjs'
import { browserPackages, installBrowser, isPresent } from './browser-packages.mjs'
import { detectTools } from './detect-tools.mjs'
import { onPath } from './path.mjs'
import { logLine, step } from './report.mjs'
import { readRecord, writeRecord } from './state-files.mjs'
import { advice } from './tool-advice.mjs'
import { tools } from './tool-list.mjs'
import { userSetting } from './user-setting.mjs'

const day = 24 * 60 * 60_000

/**
 * @typedef {import('./detect-tools.mjs').ToolStatuses} ToolStatuses
 * @typedef {object} Request
 * @property {import('./paths.mjs').ProjectPaths} paths
 * @property {NodeJS.ProcessEnv} environment
 * @property {boolean} ignoreRecords true to ignore the tools that earlier runs found or failed to install
 * @property {boolean} [forTests] true to include the tools that only the tests use
 * @property {boolean} [forModelTests] true to include the language model of the tests
 */

/**
 * @param {Request} request
 * @returns {Promise<ToolStatuses>}
 */
export async function findTools({ paths, environment, ignoreRecords }) {
  const recorded = ignoreRecords ? {} : (readRecord(recordFile(paths)) ?? {})
  const statuses = await detectTools(paths, environment, recorded)
  storeFindings(paths, environment, statuses, recorded)
  return statuses
}

/**
 * Returns the missing tools to install. A failed install is retried after a day, or immediately with `ignoreRecords`.
 * @param {Request} request
 * @param {ToolStatuses} statuses
 */
export function toolsToInstall({ paths, environment, ignoreRecords, forTests }, statuses) {
  if (!canInstall({ paths, environment })) return []
  const tried = ignoreRecords ? [] : triedToday(paths)
  const apt = canUseApt(environment)
  return tools.filter(({ name, replacementVariable, isForTests }) => {
    if (tried.includes(name) || (isForTests && !forTests)) return false
    const { path, by } = statuses[name] ?? {}
    if (path || by || (replacementVariable && userSetting(replacementVariable, environment, paths.root)))
      return false
    return apt || (name === 'chromium' && browserPackages.some((browser) => isPresent(browser, paths)))
  })
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function triedToday(paths) {
  const record = readRecord(triedFile(paths))
  return Date.now() - Date.parse(record?.at) < day ? (record.names ?? []) : []
}

/**
 * @param {Request & { node: string }} request
 * @param {import('./tool-list.mjs').Tool[]} missing
 * @returns {Promise<ToolStatuses>}
 */
export async function installTools({ paths, environment, node }, missing) {
  const apt = canUseApt(environment)
  const names = missing.map((tool) => tool.name).join(', ')
  const failures = apt
    ? await step(`Installing ${names} with apt-get`, () => installWithApt(missing, environment))
    : {}
  let statuses = await detectTools(paths, environment, {})
  for (const browser of browserPackages) {
    if (statuses.chromium?.path || statuses.chromium?.by || !isPresent(browser, paths)) continue
    const options = { paths, node, environment, canInstallSystemPackages: apt }
    try {
      await step(browser.title, () => installBrowser(browser, options))
    } catch (error) {
      failures.chromium = [failures.chromium, error.message].filter(Boolean).join('; ')
    }
    statuses = await detectTools(paths, environment, statuses)
  }
  writeRecord(triedFile(paths), {
    at: new Date().toISOString(),
    names: [...new Set([...triedToday(paths), ...missing.map((tool) => tool.name)])],
    failures,
  })
  storeFindings(paths, environment, statuses, {})
  for (const { name } of missing) {
    if (statuses[name]?.missing) logLine(`  ${name}: ${statuses[name].missing}`)
  }
  return statuses
}

/**
 * Returns the environment of the service with the paths of the found tools. The service searches PATH for tools without
 * a variable, so the folder of such a tool is appended to PATH if necessary.
 * @param {Request} request
 * @param {ToolStatuses} statuses
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentWith({ paths, environment }, statuses) {
  const result = { ...environment }
  for (const { name, variable, replacementVariable } of tools) {
    const path = statuses[name]?.path
    if (!path) continue
    if (variable) {
      const isSetByUser = [variable, replacementVariable].some(
        (setting) => setting && userSetting(setting, environment, paths.root),
      )
      if (!isSetByUser) result[variable] = path
    } else if (!onPath(path.slice(dirname(path).length + 1), result)) {
      result.PATH = [result.PATH, dirname(path)].filter(Boolean).join(delimiter)
    }
  }
  return result
}

/**
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {NodeJS.ProcessEnv} environment
 * @param {ToolStatuses} statuses advice is added to the statuses of missing tools
 * @param {ToolStatuses} recorded
 */
function storeFindings(paths, environment, statuses, recorded) {
  const failures = readRecord(triedFile(paths))?.failures ?? {}
  for (const tool of tools) {
    const status = statuses[tool.name]
    if (status?.missing) status.missing = advice(tool, status, failures[tool.name], environment)
  }
  if (JSON.stringify(statuses) === JSON.stringify(recorded)) return
  try {
    writeRecord(recordFile(paths), statuses)
  } catch {
    // If the record cannot be written, the next run searches again.
  }
}

/** @param {Pick<Request, 'paths' | 'environment'>} request */
export function canInstall({ paths, environment }) {
  return environment.PREPARE_TOOLS !== 'off' && isWritable(paths)
}

/** @param {NodeJS.ProcessEnv} environment */
export function canUseApt(environment) {
  return process.getuid?.() === 0 && hasApt(environment)
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function isWritable({ prepared, root }) {
  try {
    accessSync(existsSync(prepared) ? prepared : root, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function recordFile(paths) {
  return join(paths.prepared, 'tools.json')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function triedFile(paths) {
  return join(paths.prepared, 'tools-tried.json')
}
