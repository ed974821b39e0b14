import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installWithApt } from './apt.mjs'
import { runQuietly } from './child.mjs'
import { isProgram } from './path.mjs'
import { SetupError } from './report.mjs'
import { hashOf, readRecord, writeRecord } from './state-files.mjs'

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
/** @type {PythonEnvironment} Older versions of clients, which cannot be installed next to the newest versions. */
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
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @returns {string | undefined}
 */
export function preparedPython(paths) {
  return findPrepared(forCode, paths)
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
export function preparedTestPython(paths) {
  return findPrepared(forTests, paths)
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
export function preparedOlderPython(paths) {
  return findPrepared(forOlderClients, paths)
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
export function preparedModelPython(paths) {
  return findPrepared(forModel, paths)
}

/**
 * @param {PythonEnvironment} venv
 * @param {import('./paths.mjs').ProjectPaths} paths
 */
function findPrepared(venv, paths) {
  const program = join(folder(venv, paths), 'bin', 'python3')
  if (!isProgram(program)) return undefined
  const record = readRecord(recordFile(venv, paths))
  return JSON.stringify(record) === JSON.stringify(createRecord(venv, paths)) ? program : undefined
}

/**
 * Creates a virtual environment with Playwright.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {{ environment: NodeJS.ProcessEnv, canUseApt: boolean }} options
 */
export function createPython(paths, options) {
  return createVenv(forCode, paths, options)
}

/**
 * Creates the virtual environment of the tests.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {{ environment: NodeJS.ProcessEnv, canUseApt: boolean }} options
 */
export function createTestPython(paths, options) {
  return createVenv(forTests, paths, options)
}

/**
 * Creates a virtual environment with older clients.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {{ environment: NodeJS.ProcessEnv, canUseApt: boolean }} options
 */
export function createOlderPython(paths, options) {
  return createVenv(forOlderClients, paths, options)
}

/**
 * Creates a virtual environment with a small language model and its server.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {{ environment: NodeJS.ProcessEnv, canUseApt: boolean }} options
 */
export function createModelPython(paths, options) {
  return createVenv(forModel, paths, options)
}

/**
 * @param {PythonEnvironment} venv
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {{ environment: NodeJS.ProcessEnv, canUseApt: boolean }} options
 */
async function createVenv(venv, paths, { environment, canUseApt }) {
  const base = await findUsablePython(environment, canUseApt)
  const draft = `${folder(venv, paths)}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(paths.prepared, { recursive: true })
  /** @param {string} file @param {string[]} args */
  const run = async (file, args) => {
    const { code, output, hasTimedOut } = await runQuietly(file, args, { environment, limit: 10 * minuteMs })
    if (code !== 0)
      throw new SetupError(hasTimedOut ? `${args[1]} took longer than ten minutes` : getLastLine(output))
  }
  try {
    await run(base, ['-m', 'venv', draft])
    const python = join(draft, 'bin', 'python3')
    const pipFlags = [...venv.flags, '--only-binary', ':all:', '--no-deps', '--quiet']
    await run(python, ['-m', 'pip', 'install', ...pipFlags, '--requirement', requirements(venv, paths)])
    await run(python, ['-c', venv.check])
    // The sandbox runs as another user.
    await run('chmod', ['-R', 'a+rX', draft])
    rmSync(folder(venv, paths), { recursive: true, force: true })
    renameSync(draft, folder(venv, paths))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  writeRecord(recordFile(venv, paths), createRecord(venv, paths))
}

/**
 * Returns the record of an environment, with the path of Python, because packages belong to one version of it.
 * @param {PythonEnvironment} venv
 * @param {import('./paths.mjs').ProjectPaths} paths
 */
function createRecord(venv, paths) {
  const python = realpathSync(join(folder(venv, paths), 'bin', 'python3'))
  return { python, requirements: hashOf(requirements(venv, paths)) }
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {boolean} canUseApt
 */
async function findUsablePython(environment, canUseApt) {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
  /** @param {string} python */
  const isUsable = async (python) => {
    const { code } = await runQuietly(python, ['-I', '-c', check], { environment, limit: minuteMs })
    return code === 0
  }
  for (const canInstall of [canUseApt, false]) {
    for (const python of systemPythons) {
      if (existsSync(python) && (await isUsable(python))) return python
    }
    if (!canInstall) break
    const tool = { name: 'python', packages: ['python3-venv'], enables: '', paths: [], versionFlag: '' }
    const { python: failure } = await installWithApt([tool], environment)
    if (failure) throw new SetupError(failure)
  }
  throw new SetupError(`no system Python 3.10 or newer with venv was found (${systemPythons.join(', ')})`)
}

/** @param {string} output */
function getLastLine(output) {
  return (output.trim().split('\n').pop() ?? '').slice(0, 300)
}

/** @param {PythonEnvironment} venv @param {import('./paths.mjs').ProjectPaths} paths */
function folder(venv, paths) {
  return join(paths.prepared, venv.name)
}

/** @param {PythonEnvironment} venv @param {import('./paths.mjs').ProjectPaths} paths */
function requirements(venv, paths) {
  return join(paths.runtime, 'python', venv.requirements)
}

/** @param {PythonEnvironment} venv @param {import('./paths.mjs').ProjectPaths} paths */
function recordFile(venv, paths) {
  return join(paths.prepared, `${venv.name}.json`)
}
