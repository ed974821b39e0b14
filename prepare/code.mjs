import { join } from 'node:path'
import { installAgentBrowser, preparedAgentBrowser } from './agent-browser.mjs'
import { buildConsole, preparedConsole } from './console.mjs'
import { installJavascriptRuntimes, preparedJavascriptRuntimes } from './javascript-runtimes.mjs'
import {
  createModelPython,
  createOlderPython,
  createPython,
  createTestPython,
  preparedModelPython,
  preparedOlderPython,
  preparedPython,
  preparedTestPython,
} from './python.mjs'
import { logLine, step } from './report.mjs'
import { installSentenceModel, preparedSentenceModel } from './sentence-model.mjs'
import { bundleService, preparedService } from './service.mjs'
import { readRecord, writeRecord } from './state-files.mjs'
import { canInstall, canUseApt } from './tools.mjs'
import { userSetting } from './user-setting.mjs'

const day = 24 * 60 * 60_000

/**
 * An optional program or folder: a tool for code in sessions, the sentence model, the console or the bundled service.
 * Without them, the service reports what is missing, and runs from its sources.
 * @typedef {object} CodeProgram
 * @property {string} name
 * @property {string} variable environment variable that sets its path
 * @property {string} title
 * @property {(paths: import('./paths.mjs').ProjectPaths) => string | undefined} find
 * @property {(request: Request & { node: string }) => Promise<void>} make
 * @property {boolean} [isForTests] true if only the tests use it
 * @property {boolean} [isForModelTests] true if only the tests against a real language model use it
 * @property {boolean} [runsInService] true if it needs no sandbox
 *
 * @typedef {import('./tools.mjs').Request} Request
 */

/** @type {CodeProgram[]} */
const programs = [
  {
    name: 'Playwright for Python',
    variable: 'PYTHON_PATH',
    title: 'Installing Playwright for Python',
    find: preparedPython,
    make: ({ paths, environment }) => createPython(paths, { environment, canUseApt: canUseApt(environment) }),
  },
  {
    name: 'agent-browser',
    variable: 'AGENT_BROWSER_PATH',
    title: 'Installing agent-browser',
    find: preparedAgentBrowser,
    make: ({ paths, environment, node }) => installAgentBrowser(paths, { environment, node }),
  },
  {
    name: 'sentence model',
    variable: 'SEARCH_SENTENCE_MODEL',
    title: 'Installing the sentence model of search',
    find: preparedSentenceModel,
    make: ({ paths, environment, node }) => installSentenceModel(paths, { environment, node }),
    runsInService: true,
  },
  {
    name: 'console',
    variable: 'CONSOLE_PATH',
    title: 'Building the console',
    find: preparedConsole,
    make: ({ paths, environment, node }) => buildConsole(paths, { environment, node }),
    runsInService: true,
  },
  {
    name: 'bundle',
    variable: 'SERVICE_PROGRAM',
    title: 'Bundling the service',
    find: preparedService,
    make: ({ paths, environment, node }) => bundleService(paths, { environment, node }),
    runsInService: true,
  },
  {
    name: 'Python packages of the tests',
    variable: 'TEST_PYTHON_PATH',
    title: 'Installing Python packages for the tests',
    find: preparedTestPython,
    make: ({ paths, environment }) =>
      createTestPython(paths, { environment, canUseApt: canUseApt(environment) }),
    isForTests: true,
  },
  {
    name: 'older Python clients of the tests',
    variable: 'TEST_OLDER_PYTHON_PATH',
    title: 'Installing older Python clients for the tests',
    find: preparedOlderPython,
    make: ({ paths, environment }) =>
      createOlderPython(paths, { environment, canUseApt: canUseApt(environment) }),
    isForTests: true,
  },
  {
    name: 'Deno and Bun',
    variable: 'TEST_JAVASCRIPT_RUNTIMES',
    title: 'Installing Deno and Bun for the tests',
    find: preparedJavascriptRuntimes,
    make: ({ paths, environment, node }) => installJavascriptRuntimes(paths, { environment, node }),
    isForTests: true,
    runsInService: true,
  },
  {
    name: 'small language model',
    variable: 'TEST_MODEL_PYTHON_PATH',
    title: 'Installing a small language model for the tests',
    find: preparedModelPython,
    make: ({ paths, environment }) =>
      createModelPython(paths, { environment, canUseApt: canUseApt(environment) }),
    isForModelTests: true,
    runsInService: true,
  },
]

/**
 * Returns the missing programs to install. Code runs only in a sandbox, so the programs for code are skipped if there
 * is no sandbox. A failed install is retried after a day.
 * @param {Request} request
 * @param {import('./tools.mjs').ToolStatuses} statuses
 */
export function codeProgramsToInstall(request, statuses) {
  const { paths, environment, ignoreRecords, forTests, forModelTests } = request
  if (!canInstall(request)) return []
  const hasSandbox = statuses.bubblewrap?.path !== undefined
  const tried = ignoreRecords ? [] : triedToday(paths)
  return programs.filter(
    ({ name, variable, find, isForTests, isForModelTests, runsInService }) =>
      (forTests || !isForTests) &&
      (forModelTests || !isForModelTests) &&
      (hasSandbox || runsInService) &&
      !userSetting(variable, environment, paths.root) &&
      !find(paths) &&
      // The tests against a language model cannot run without it, so each run retries.
      (isForModelTests || !tried.includes(name)),
  )
}

/**
 * @param {Request & { node: string }} request
 * @param {CodeProgram[]} missing
 */
export async function installCodePrograms(request, missing) {
  const failed = []
  for (const program of missing) {
    try {
      await step(program.title, () => program.make(request))
    } catch (error) {
      failed.push(program.name)
      logLine(
        `  ${program.name}: ${findFailureLine(error.message)}. The service runs without it; set ${program.variable} to use another one`,
      )
    }
  }
  const names = [...new Set([...triedToday(request.paths), ...failed])]
  writeRecord(triedFile(request.paths), { at: new Date().toISOString(), names })
}

/**
 * Returns the line that names the failure, because the output of npm and pip is too long.
 * @param {string} message
 */
function findFailureLine(message) {
  const lines = message.trim().split('\n')
  return (lines.find((line) => /error.*(fail|not found|unable)/i.test(line)) ?? lines.pop() ?? '').slice(
    0,
    300,
  )
}

/**
 * Returns the environment variables with the paths of the installed programs.
 * @param {Request} request
 * @returns {NodeJS.ProcessEnv}
 */
export function codeEnvironment({ paths, environment }) {
  /** @type {NodeJS.ProcessEnv} */
  const result = {}
  for (const { variable, find } of programs) {
    const path = find(paths)
    if (path && !userSetting(variable, environment, paths.root)) result[variable] = path
  }
  return result
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function triedToday(paths) {
  const record = readRecord(triedFile(paths))
  return Date.now() - Date.parse(record?.at) < day ? (record.names ?? []) : []
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function triedFile(paths) {
  return join(paths.prepared, 'code-tried.json')
}
