import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installWithApt } from './apt.mjs'
import { runQuietly } from './child.mjs'
import { isProgram } from './path.mjs'
import { hashOf, readRecord, writeRecord } from './records.mjs'
import { Refusal } from './report.mjs'

/** Those that a sandbox sees, which is given the system's programs and nobody's home. */
const systemPythons = ['/usr/bin/python3', '/usr/local/bin/python3']
const minutes = 60_000
/** Also a first try of the package. The service's own Node runs it; the one it brings would be another 144 MB. */
const withoutItsNode = `import pathlib, playwright, playwright.async_api
(pathlib.Path(playwright.__file__).parent / "driver" / "node").unlink(missing_ok=True)`

/**
 * @typedef {object} PythonPlace a virtual environment in our own folder
 * @property {string} name of the folder
 * @property {string} requirements the file that lists its packages
 * @property {string[]} flags of pip, beside those that keep it from compiling and from following dependencies
 * @property {string} check a program that shows that it works
 */

/** @type {PythonPlace} For code in sessions. */
const forCode = {
  name: 'python',
  requirements: 'requirements.txt',
  flags: ['--require-hashes'],
  check: withoutItsNode,
}
/** @type {PythonPlace} */
const forTests = {
  name: 'python-tests',
  requirements: 'requirements-tests.txt',
  flags: [],
  check: 'import firecrawl, hatchling.build, moto.server, mypy.main',
}
/** @type {PythonPlace} Older versions of what the tests use, which cannot stand beside the newest. */
const forOlderClients = {
  name: 'python-older',
  requirements: 'requirements-older.txt',
  flags: [],
  check: 'import firecrawl; from langchain_community.document_loaders import firecrawl',
}
/** @type {PythonPlace} */
const forModel = {
  name: 'python-model',
  requirements: 'requirements-model.txt',
  flags: ['--require-hashes'],
  check: 'import xllamacpp',
}

/**
 * @param {import('./paths.mjs').Places} places
 * @returns {string | undefined} a Python with Playwright, if an earlier run made it
 */
export function preparedPython(places) {
  return preparedIn(forCode, places)
}

/** @param {import('./paths.mjs').Places} places */
export function preparedTestPython(places) {
  return preparedIn(forTests, places)
}

/** @param {import('./paths.mjs').Places} places */
export function preparedOlderPython(places) {
  return preparedIn(forOlderClients, places)
}

/** @param {import('./paths.mjs').Places} places */
export function preparedModelPython(places) {
  return preparedIn(forModel, places)
}

/**
 * @param {PythonPlace} place
 * @param {import('./paths.mjs').Places} places
 */
function preparedIn(place, places) {
  const program = join(folder(place, places), 'bin', 'python3')
  if (!isProgram(program)) return undefined
  const record = readRecord(recordFile(place, places))
  return JSON.stringify(record) === JSON.stringify(recordOf(place, places)) ? program : undefined
}

/**
 * Makes a virtual environment with Playwright in our own folder.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, mayUseApt: boolean }} options
 */
export function makePython(places, options) {
  return makeIn(forCode, places, options)
}

/**
 * The same with what only the tests use.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, mayUseApt: boolean }} options
 */
export function makeTestPython(places, options) {
  return makeIn(forTests, places, options)
}

/**
 * The same with older clients.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, mayUseApt: boolean }} options
 */
export function makeOlderPython(places, options) {
  return makeIn(forOlderClients, places, options)
}

/**
 * The same with a small language model and its server.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, mayUseApt: boolean }} options
 */
export function makeModelPython(places, options) {
  return makeIn(forModel, places, options)
}

/**
 * @param {PythonPlace} place
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, mayUseApt: boolean }} options
 */
async function makeIn(place, places, { environment, mayUseApt }) {
  const base = await usablePython(environment, mayUseApt)
  const draft = `${folder(place, places)}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(places.prepared, { recursive: true })
  /** @param {string} file @param {string[]} args */
  const run = async (file, args) => {
    const { code, output, overdue } = await runQuietly(file, args, { environment, limit: 10 * minutes })
    if (code !== 0) throw new Refusal(overdue ? `${args[1]} took longer than ten minutes` : lastLine(output))
  }
  try {
    await run(base, ['-m', 'venv', draft])
    const python = join(draft, 'bin', 'python3')
    const exactly = [...place.flags, '--only-binary', ':all:', '--no-deps', '--quiet']
    await run(python, ['-m', 'pip', 'install', ...exactly, '--requirement', requirements(place, places)])
    await run(python, ['-c', place.check])
    // The sandbox is another user.
    await run('chmod', ['-R', 'a+rX', draft])
    rmSync(folder(place, places), { recursive: true, force: true })
    renameSync(draft, folder(place, places))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  writeRecord(recordFile(place, places), recordOf(place, places))
}

/**
 * Packages belong to one version of Python: the system's next one would not find them.
 * @param {PythonPlace} place
 * @param {import('./paths.mjs').Places} places
 */
function recordOf(place, places) {
  const python = realpathSync(join(folder(place, places), 'bin', 'python3'))
  return { python, requirements: hashOf(requirements(place, places)) }
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {boolean} mayUseApt
 */
async function usablePython(environment, mayUseApt) {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
  /** @param {string} python */
  const isUsable = async (python) => {
    const { code } = await runQuietly(python, ['-I', '-c', check], { environment, limit: minutes })
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
function lastLine(output) {
  return (output.trim().split('\n').pop() ?? '').slice(0, 300)
}

/** @param {PythonPlace} place @param {import('./paths.mjs').Places} places */
function folder(place, places) {
  return join(places.prepared, place.name)
}

/** @param {PythonPlace} place @param {import('./paths.mjs').Places} places */
function requirements(place, places) {
  return join(places.runtime, 'python', place.requirements)
}

/** @param {PythonPlace} place @param {import('./paths.mjs').Places} places */
function recordFile(place, places) {
  return join(places.prepared, `${place.name}.json`)
}
