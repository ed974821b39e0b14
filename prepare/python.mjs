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
 * @param {import('./places.mjs').Places} places
 * @returns {string | undefined} a Python with Playwright, if an earlier run made it
 */
export function preparedPython(places) {
  const program = join(folder(places), 'bin', 'python3')
  if (!isProgram(program)) return undefined
  const isCurrent = JSON.stringify(readRecord(recordFile(places))) === JSON.stringify(recordOf(places))
  return isCurrent ? program : undefined
}

/**
 * Makes a virtual environment with Playwright in our own folder.
 * @param {import('./places.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, mayUseApt: boolean }} options
 */
export async function makePython(places, { environment, mayUseApt }) {
  const base = await usablePython(environment, mayUseApt)
  const draft = `${folder(places)}.new`
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
    const exactly = ['--require-hashes', '--only-binary', ':all:', '--no-deps', '--quiet']
    await run(python, ['-m', 'pip', 'install', ...exactly, '--requirement', requirements(places)])
    await run(python, ['-c', withoutItsNode])
    // The sandbox is another user.
    await run('chmod', ['-R', 'a+rX', draft])
    rmSync(folder(places), { recursive: true, force: true })
    renameSync(draft, folder(places))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  writeRecord(recordFile(places), recordOf(places))
}

/**
 * Packages belong to one version of Python: the system's next one would not find them.
 * @param {import('./places.mjs').Places} places
 */
function recordOf(places) {
  const python = realpathSync(join(folder(places), 'bin', 'python3'))
  return { python, requirements: hashOf(requirements(places)) }
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
  throw new Refusal(`no Python of the system from 3.10 with venv was found (${systemPythons.join(', ')})`)
}

/** @param {string} output */
function lastLine(output) {
  return (output.trim().split('\n').pop() ?? '').slice(0, 300)
}

/** @param {import('./places.mjs').Places} places */
function folder(places) {
  return join(places.prepared, 'python')
}

/** @param {import('./places.mjs').Places} places */
function requirements(places) {
  return join(places.runtime, 'python', 'requirements.txt')
}

/** @param {import('./places.mjs').Places} places */
function recordFile(places) {
  return join(places.prepared, 'python.json')
}
