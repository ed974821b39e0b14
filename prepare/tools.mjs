import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { hasApt, installWithApt } from './apt.mjs'
import { bringBrowser, browserPackages, isPresent } from './browser-packages.mjs'
import { lookForTools } from './look-for-tools.mjs'
import { onPath } from './path.mjs'
import { readRecord, writeRecord } from './records.mjs'
import { say, step } from './report.mjs'
import { advice } from './tool-advice.mjs'
import { tools } from './tool-list.mjs'
import { userSetting } from './user-setting.mjs'

const day = 24 * 60 * 60_000

/**
 * @typedef {import('./look-for-tools.mjs').Findings} Findings
 * @typedef {object} Request
 * @property {import('./paths.mjs').Places} places
 * @property {NodeJS.ProcessEnv} environment
 * @property {boolean} again true to ignore the findings and the failed installs of earlier runs
 * @property {boolean} [forTests] true to include the tools that only the tests use
 * @property {boolean} [forModelTests] true to include the language model of the tests
 */

/**
 * @param {Request} request
 * @returns {Promise<Findings>}
 */
export async function findTools({ places, environment, again }) {
  const recorded = again ? {} : (readRecord(recordFile(places)) ?? {})
  const findings = await lookForTools(places, environment, recorded)
  storeFindings(places, environment, findings, recorded)
  return findings
}

/**
 * Returns the missing tools to install. A failed install is retried after a day, or immediately with `again`.
 * @param {Request} request
 * @param {Findings} findings
 */
export function toolsToInstall({ places, environment, again, forTests }, findings) {
  if (!mayInstall({ places, environment })) return []
  const tried = again ? [] : triedToday(places)
  const apt = mayUseApt(environment)
  return tools.filter(({ name, instead, isForTests }) => {
    if (tried.includes(name) || (isForTests && !forTests)) return false
    const { path, by } = findings[name] ?? {}
    if (path || by || (instead && userSetting(instead, environment, places.root))) return false
    return apt || (name === 'chromium' && browserPackages.some((browser) => isPresent(browser, places)))
  })
}

/** @param {import('./paths.mjs').Places} places */
function triedToday(places) {
  const record = readRecord(triedFile(places))
  return Date.now() - Date.parse(record?.at) < day ? (record.names ?? []) : []
}

/**
 * @param {Request & { node: string }} request
 * @param {import('./tool-list.mjs').Tool[]} missing
 * @returns {Promise<Findings>}
 */
export async function installTools({ places, environment, node }, missing) {
  const apt = mayUseApt(environment)
  const names = missing.map((tool) => tool.name).join(', ')
  const failures = apt
    ? await step(`Installing ${names} with apt-get`, () => installWithApt(missing, environment))
    : {}
  let findings = await lookForTools(places, environment, {})
  for (const browser of browserPackages) {
    if (findings.chromium?.path || findings.chromium?.by || !isPresent(browser, places)) continue
    const options = { places, node, environment, maySystem: apt }
    try {
      await step(browser.title, () => bringBrowser(browser, options))
    } catch (error) {
      failures.chromium = [failures.chromium, error.message].filter(Boolean).join('; ')
    }
    findings = await lookForTools(places, environment, findings)
  }
  writeRecord(triedFile(places), {
    at: new Date().toISOString(),
    names: [...new Set([...triedToday(places), ...missing.map((tool) => tool.name)])],
    failures,
  })
  storeFindings(places, environment, findings, {})
  for (const { name } of missing) {
    if (findings[name]?.missing) say(`  ${name}: ${findings[name].missing}`)
  }
  return findings
}

/**
 * Returns the environment of the service with the paths of the found tools. The service searches PATH for tools without
 * a variable, so the folder of such a tool is appended to PATH if necessary.
 * @param {Request} request
 * @param {Findings} findings
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentWith({ places, environment }, findings) {
  const result = { ...environment }
  for (const { name, variable, instead } of tools) {
    const path = findings[name]?.path
    if (!path) continue
    if (variable) {
      const isSetByUser = [variable, instead].some(
        (setting) => setting && userSetting(setting, environment, places.root),
      )
      if (!isSetByUser) result[variable] = path
    } else if (!onPath(path.slice(dirname(path).length + 1), result)) {
      result.PATH = [result.PATH, dirname(path)].filter(Boolean).join(delimiter)
    }
  }
  return result
}

/**
 * @param {import('./paths.mjs').Places} places
 * @param {NodeJS.ProcessEnv} environment
 * @param {Findings} findings advice is added to those of missing tools
 * @param {Findings} recorded
 */
function storeFindings(places, environment, findings, recorded) {
  const failures = readRecord(triedFile(places))?.failures ?? {}
  for (const tool of tools) {
    const finding = findings[tool.name]
    if (finding?.missing) finding.missing = advice(tool, finding, failures[tool.name], environment)
  }
  if (JSON.stringify(findings) === JSON.stringify(recorded)) return
  try {
    writeRecord(recordFile(places), findings)
  } catch {
    // If the record cannot be written, the next run searches again.
  }
}

/** @param {Pick<Request, 'places' | 'environment'>} request */
export function mayInstall({ places, environment }) {
  return environment.PREPARE_TOOLS !== 'off' && isWritable(places)
}

/** @param {NodeJS.ProcessEnv} environment */
export function mayUseApt(environment) {
  return process.getuid?.() === 0 && hasApt(environment)
}

/** @param {import('./paths.mjs').Places} places */
function isWritable({ prepared, root }) {
  try {
    accessSync(existsSync(prepared) ? prepared : root, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** @param {import('./paths.mjs').Places} places */
function recordFile(places) {
  return join(places.prepared, 'tools.json')
}

/** @param {import('./paths.mjs').Places} places */
function triedFile(places) {
  return join(places.prepared, 'tools-tried.json')
}
