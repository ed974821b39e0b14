import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installWithApt } from './apt.mjs'
import { runQuietly } from './child.mjs'
import { isProgram } from './path.mjs'
import { hashOf, readRecord, writeRecord } from './records.mjs'
import { Refusal } from './report.mjs'

/** Pythons that are visible in a sandbox, which contains the system's programs but no home folder. */
const systemPythons = ['/usr/bin/python3', '/usr/local/bin/python3']
const minuteMs = 60_000
/** Checks that Playwright can be imported, and deletes its Node of 144 MB, because the Node of the service runs it. */
const removePlaywrightNode = `import pathlib, playwright, playwright.async_api
(pathlib.Path(playwright.__file__).parent / "driver" / "node").unlink(missing_ok=True)`

/**
 * @typedef {object} PythonEnvironment a virtual environment in the folder `.prepared`
 * @property {string} name name of the folder
 * @property {string} requirements file that lists the packages
 * @property {string[]} flags additional flags of pip; compiling and installing dependencies are always off
 * @property {string} check Python code that verifies the environment
 */

/** @type {PythonEnvironment} Environment for code in sessions. */
const forCode = {
  name: 'python',
  requirements: 'requirements.txt',
  flags: ['--require-hashes'],
  check: removePlaywrightNode,
}
/** @type {PythonEnvironment} */
const forTests = {
  name: 'python-tests',
  requirements: 'requirements-tests.txt',
  flags: [],
  check: 'import firecrawl, hatchling.build, moto.server, mypy.main',
}
/** @type {PythonEnvironment} Older versions of clients, which cannot be installed next to the newest ones. */
const forOlderClients = {
  name: 'python-older',
  requirements: 'requirements-older.txt',
  flags: [],
  check: 'import firecrawl; from langchain_community.document_loaders import firecrawl',
}
/** @type {PythonEnvironment} */
const forModel = {
  name: 'python-model',
  requirements: 'requirements-model.txt',
  flags: ['--require-hashes'],
  check: 'import xllamacpp',
}

/**
 * Returns the path of a Python with Playwright; undefined if it is not installed, or no longer current.
 * @param {import('./paths.mjs').Places} places
 * @returns {string | undefined}
 */
export function preparedPython(places) {
  return findPrepared(forCode, places)
}

/** @param {import('./paths.mjs').Places} places */
export function preparedTestPython(places) {
  return findPrepared(forTests, places)
}

/** @param {import('./paths.mjs').Places} places */
export function preparedOlderPython(places) {
  return findPrepared(forOlderClients, places)
}

/** @param {import('./paths.mjs').Places} places */
export function preparedModelPython(places) {
  return findPrepared(forModel, places)
}

/**
 * @param {PythonEnvironment} venv
 * @param {import('./paths.mjs').Places} places
 */
function findPrepared(venv, places) {
  const program = join(folder(venv, places), 'bin', 'python3')
  if (!isProgram(program)) return undefined
  const record = readRecord(recordFile(venv, places))
  return JSON.stringify(record) === JSON.stringify(createRecord(venv, places)) ? program : undefined
}

/**
 * Creates a virtual environment with Playwright.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, mayUseApt: boolean }} options
 */
export function makePython(places, options) {
  return createVenv(forCode, places, options)
}

/**
 * Creates the virtual environment of the tests.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, mayUseApt: boolean }} options
 */
export function makeTestPython(places, options) {
  return createVenv(forTests, places, options)
}

/**
 * Creates a virtual environment with older clients.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, mayUseApt: boolean }} options
 */
export function makeOlderPython(places, options) {
  return createVenv(forOlderClients, places, options)
}

/**
 * Creates a virtual environment with a small language model and its server.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, mayUseApt: boolean }} options
 */
export function makeModelPython(places, options) {
  return createVenv(forModel, places, options)
}

/**
 * @param {PythonEnvironment} venv
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, mayUseApt: boolean }} options
 */
async function createVenv(venv, places, { environment, mayUseApt }) {
  const base = await findUsablePython(environment, mayUseApt)
  const draft = `${folder(venv, places)}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(places.prepared, { recursive: true })
  /** @param {string} file @param {string[]} args */
  const run = async (file, args) => {
    const { code, output, overdue } = await runQuietly(file, args, { environment, limit: 10 * minuteMs })
    if (code !== 0)
      throw new Refusal(overdue ? `${args[1]} took longer than ten minutes` : getLastLine(output))
  }
  try {
    await run(base, ['-m', 'venv', draft])
    const python = join(draft, 'bin', 'python3')
    const pipFlags = [...venv.flags, '--only-binary', ':all:', '--no-deps', '--quiet']
    await run(python, ['-m', 'pip', 'install', ...pipFlags, '--requirement', requirements(venv, places)])
    await run(python, ['-c', venv.check])
    // The sandbox runs as another user.
    await run('chmod', ['-R', 'a+rX', draft])
    rmSync(folder(venv, places), { recursive: true, force: true })
    renameSync(draft, folder(venv, places))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  writeRecord(recordFile(venv, places), createRecord(venv, places))
}

/**
 * Returns the record of an environment, with the path of Python, because packages belong to one version of it.
 * @param {PythonEnvironment} venv
 * @param {import('./paths.mjs').Places} places
 */
function createRecord(venv, places) {
  const python = realpathSync(join(folder(venv, places), 'bin', 'python3'))
  return { python, requirements: hashOf(requirements(venv, places)) }
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {boolean} mayUseApt
 */
async function findUsablePython(environment, mayUseApt) {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
  /** @param {string} python */
  const isUsable = async (python) => {
    const { code } = await runQuietly(python, ['-I', '-c', check], { environment, limit: minuteMs })
    return code === 0
  }
  for (const mayInstall of [mayUseApt, false]) {
    for (const python of systemPythons) {
      if (existsSync(python) && (await isUsable(python))) return python
    }
    if (!mayInstall) break
    const tool = { name: 'python', packages: ['python3-venv'], enables: '', places: [], versionFlag: '' }
    const { python: failure } = await installWithApt([tool], environment)
    if (failure) throw new Refusal(failure)
  }
  throw new Refusal(`no system Python 3.10 or newer with venv was found (${systemPythons.join(', ')})`)
}

/** @param {string} output */
function getLastLine(output) {
  return (output.trim().split('\n').pop() ?? '').slice(0, 300)
}

/** @param {PythonEnvironment} venv @param {import('./paths.mjs').Places} places */
function folder(venv, places) {
  return join(places.prepared, venv.name)
}

/** @param {PythonEnvironment} venv @param {import('./paths.mjs').Places} places */
function requirements(venv, places) {
  return join(places.runtime, 'python', venv.requirements)
}

/** @param {PythonEnvironment} venv @param {import('./paths.mjs').Places} places */
function recordFile(venv, places) {
  return join(places.prepared, `${venv.name}.json`)
}
