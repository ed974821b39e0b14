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
 * What code in a session can use beside Node, the sentence model of search, the console, and the service in few files. Nothing of it
 * is needed: the service says what is missing, and runs from its sources.
 * @typedef {object} CodeProgram
 * @property {string} name
 * @property {string} variable names the program outright
 * @property {string} title
 * @property {(places: import('./paths.mjs').Places) => string | undefined} find
 * @property {(request: Request & { node: string }) => Promise<void>} make
 * @property {boolean} [isForTests] nothing but the tests uses it
 * @property {boolean} [isForModelTests] nothing but the tests against a real language model uses it
 * @property {boolean} [runsInService] it needs no sandbox
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
 * Code runs only in a sandbox, so without one nothing for it is worth making. A try that failed is repeated after a day.
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
      // The tests against a language model can do nothing without it, so each run tries.
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
        `  ${program.name}: ${shortly(error.message)}. The service runs without it; set ${program.variable} to use another one`,
      )
    }
  }
  const names = [...new Set([...triedToday(request.places), ...failed])]
  writeRecord(triedFile(request.places), { at: new Date().toISOString(), names })
}

/** @param {string} message npm and pip say more than fits here; the line that names a failure is enough */
function shortly(message) {
  const lines = message.trim().split('\n')
  return (lines.find((line) => /error.*(fail|not found|unable)/i.test(line)) ?? lines.pop() ?? '').slice(
    0,
    300,
  )
}

/**
 * @param {Request} request
 * @returns {NodeJS.ProcessEnv} the variables that tell the service about them
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
