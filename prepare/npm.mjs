import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { onPath } from './path.mjs'
import { readRecord } from './records.mjs'
import { Refusal } from './report.mjs'

const limit = 15 * 60_000

/**
 * Installs exactly what a folder's lock file names.
 * @param {string} folder
 * @param {string[]} flags
 * @param {string} node
 * @param {NodeJS.ProcessEnv} environment
 */
export async function installLocked(folder, flags, node, environment) {
  const { file, args } = npmProgram(node, environment)
  // `npm ci` refuses a lock file that leaves out packages for other platforms, as one does that was made against a
  // registry without them; `npm install` takes the same versions.
  // The folder is named because npm, when it started us, left its own choice of folder in the environment; the level
  // because `npm start --silent` would otherwise also silence the reason of a failure.
  const how = namesEveryPackage(readRecord(join(folder, 'package-lock.json')))
    ? ['ci']
    : ['install', '--no-save']
  const wanted = [...how, '--prefix', folder, '--loglevel=warn', ...flags]
  const { code, output, overdue } = await runQuietly(file, [...args, ...wanted], {
    folder,
    environment,
    limit,
  })
  if (code === 0) return
  const reason = overdue ? 'npm took longer than 15 minutes' : `npm exited with code ${code}`
  throw new Refusal(`${output.trimEnd()}\n\nThe packages could not be installed: ${reason}.`)
}

/**
 * @param {{ packages: Record<string, { optionalDependencies?: Record<string, string> }> }} lock
 */
export function namesEveryPackage({ packages }) {
  const named = new Set(Object.keys(packages).map((place) => place.split('node_modules/').pop()))
  return Object.values(packages).every(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).every((name) => named.has(name)),
  )
}

/**
 * npm is a script; run by the Node we chose instead of the one its first line would find.
 * @param {string} node
 * @param {NodeJS.ProcessEnv} environment
 */
function npmProgram(node, environment) {
  const found = onPath('npm', environment)
  const script = found ? realpathSync(found) : environment.npm_execpath
  if (script?.endsWith('npm-cli.js') && existsSync(script)) return { file: node, args: [script] }
  if (found) return { file: found, args: [] }
  throw new Refusal('npm is not on PATH; it usually comes with Node, on some systems as a separate package.')
}
