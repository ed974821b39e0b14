import { join } from 'node:path'
import { bringAgentBrowser, preparedAgentBrowser } from './agent-browser.mjs'
import { buildConsole, preparedConsole } from './console.mjs'
import { bringJavascriptRuntimes, preparedJavascriptRuntimes } from './javascript-runtimes.mjs'
import {
  makeModelPython,
  makeOlderPython,
  makePython,
  makeTestPython,
  preparedModelPython,
  preparedOlderPython,
  preparedPython,
  preparedTestPython,
} from './python.mjs'
import { readRecord, writeRecord } from './records.mjs'
import { say, step } from './report.mjs'
import { bringSentenceModel, preparedSentenceModel } from './sentence-model.mjs'
import { bundleService, preparedService } from './service.mjs'
import { mayInstall, mayUseApt } from './tools.mjs'
import { userSetting } from './user-setting.mjs'

const day = 24 * 60 * 60_000

/**
 * An optional program or folder: a tool for code in sessions, the sentence model, the console or the bundled service.
 * Without them, the service reports what is missing, and runs from its sources.
 * @typedef {object} CodeProgram
 * @property {string} name
 * @property {string} variable environment variable that sets its path
 * @property {string} title
 * @property {(places: import('./paths.mjs').Places) => string | undefined} find
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
    make: ({ places, environment }) => makePython(places, { environment, mayUseApt: mayUseApt(environment) }),
  },
  {
    name: 'agent-browser',
    variable: 'AGENT_BROWSER_PATH',
    title: 'Installing agent-browser',
    find: preparedAgentBrowser,
    make: ({ places, environment, node }) => bringAgentBrowser(places, { environment, node }),
  },
  {
    name: 'sentence model',
    variable: 'SEARCH_SENTENCE_MODEL',
    title: 'Installing the sentence model of search',
    find: preparedSentenceModel,
    make: ({ places, environment, node }) => bringSentenceModel(places, { environment, node }),
    runsInService: true,
  },
  {
    name: 'console',
    variable: 'CONSOLE_PATH',
    title: 'Building the console',
    find: preparedConsole,
    make: ({ places, environment, node }) => buildConsole(places, { environment, node }),
    runsInService: true,
  },
  {
    name: 'bundle',
    variable: 'SERVICE_PROGRAM',
    title: 'Bundling the service',
    find: preparedService,
    make: ({ places, environment, node }) => bundleService(places, { environment, node }),
    runsInService: true,
  },
  {
    name: 'Python packages of the tests',
    variable: 'TEST_PYTHON_PATH',
    title: 'Installing Python packages for the tests',
    find: preparedTestPython,
    make: ({ places, environment }) =>
      makeTestPython(places, { environment, mayUseApt: mayUseApt(environment) }),
    isForTests: true,
  },
  {
    name: 'older Python clients of the tests',
    variable: 'TEST_OLDER_PYTHON_PATH',
    title: 'Installing older Python clients for the tests',
    find: preparedOlderPython,
    make: ({ places, environment }) =>
      makeOlderPython(places, { environment, mayUseApt: mayUseApt(environment) }),
    isForTests: true,
  },
  {
    name: 'Deno and Bun',
    variable: 'TEST_JAVASCRIPT_RUNTIMES',
    title: 'Installing Deno and Bun for the tests',
    find: preparedJavascriptRuntimes,
    make: ({ places, environment, node }) => bringJavascriptRuntimes(places, { environment, node }),
    isForTests: true,
    runsInService: true,
  },
  {
    name: 'small language model',
    variable: 'TEST_MODEL_PYTHON_PATH',
    title: 'Installing a small language model for the tests',
    find: preparedModelPython,
    make: ({ places, environment }) =>
      makeModelPython(places, { environment, mayUseApt: mayUseApt(environment) }),
    isForModelTests: true,
    runsInService: true,
  },
]

/**
 * Returns the missing programs to install. Code runs only in a sandbox, so without one its programs are skipped. A
 * failed install is retried after a day.
 * @param {Request} request
 * @param {import('./tools.mjs').Findings} findings
 */
export function codeToPrepare(request, findings) {
  const { places, environment, again, forTests, forModelTests } = request
  if (!mayInstall(request)) return []
  const hasSandbox = findings.bubblewrap?.path !== undefined
  const tried = again ? [] : triedToday(places)
  return programs.filter(
    ({ name, variable, find, isForTests, isForModelTests, runsInService }) =>
      (forTests || !isForTests) &&
      (forModelTests || !isForModelTests) &&
      (hasSandbox || runsInService) &&
      !userSetting(variable, environment, places.root) &&
      !find(places) &&
      // The tests against a language model cannot run without it, so each run retries.
      (isForModelTests || !tried.includes(name)),
  )
}

/**
 * @param {Request & { node: string }} request
 * @param {CodeProgram[]} missing
 */
export async function prepareCode(request, missing) {
  const failed = []
  for (const program of missing) {
    try {
      await step(program.title, () => program.make(request))
    } catch (error) {
      failed.push(program.name)
      say(
        `  ${program.name}: ${findFailureLine(error.message)}. The service runs without it; set ${program.variable} to use another one`,
      )
    }
  }
  const names = [...new Set([...triedToday(request.places), ...failed])]
  writeRecord(triedFile(request.places), { at: new Date().toISOString(), names })
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
export function codeEnvironment({ places, environment }) {
  /** @type {NodeJS.ProcessEnv} */
  const result = {}
  for (const { variable, find } of programs) {
    const path = find(places)
    if (path && !userSetting(variable, environment, places.root)) result[variable] = path
  }
  return result
}

/** @param {import('./paths.mjs').Places} places */
function triedToday(places) {
  const record = readRecord(triedFile(places))
  return Date.now() - Date.parse(record?.at) < day ? (record.names ?? []) : []
}

/** @param {import('./paths.mjs').Places} places */
function triedFile(places) {
  return join(places.prepared, 'code-tried.json')
}
