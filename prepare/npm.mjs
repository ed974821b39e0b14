import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { onPath } from './path.mjs'
import { SetupError } from './report.mjs'
import { readRecord } from './state-files.mjs'

const installTimeoutMs = 15 * 60_000

/**
 * Installs exactly the packages of a folder's lock file.
 * @param {string} folder
 * @param {string[]} flags
 * @param {string} node
 * @param {NodeJS.ProcessEnv} environment
 */
export async function installLocked(folder, flags, node, environment) {
  const { file, args } = getNpmCommand(node, environment)
  // `npm ci` rejects a lock file without the packages for other platforms, which some registries do not have.
  // `npm install` installs the same versions.
  // The folder is passed, because npm sets its own folder in the environment if it started this process.
  // The log level is passed, because `npm start --silent` would also hide the reason of a failure.
  const subcommand = hasEveryPackage(readRecord(join(folder, 'package-lock.json')))
    ? ['ci']
    : ['install', '--no-save']
  const npmArgs = [...subcommand, '--prefix', folder, '--loglevel=warn', ...flags]
  const { code, output, hasTimedOut } = await runQuietly(file, [...args, ...npmArgs], {
    folder,
    environment,
    limit: installTimeoutMs,
  })
  if (code === 0) return
  const reason = hasTimedOut ? 'npm took longer than 15 minutes' : `npm exited with code ${code}`
  throw new SetupError(`${output.trimEnd()}\n\nThe packages could not be installed: ${reason}.`)
}

/**
 * @param {{ packages: Record<string, { optionalDependencies?: Record<string, string> }> }} lock
 */
export function hasEveryPackage({ packages }) {
  const named = new Set(Object.keys(packages).map((path) => path.split('node_modules/').pop()))
  return Object.values(packages).every(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).every((name) => named.has(name)),
  )
}

/**
 * Returns the npm command. npm is a script: the chosen Node runs it, instead of the Node of its shebang line.
 * @param {string} node
 * @param {NodeJS.ProcessEnv} environment
 */
function getNpmCommand(node, environment) {
  const found = onPath('npm', environment)
  const script = found ? realpathSync(found) : environment.npm_execpath
  if (script?.endsWith('npm-cli.js') && existsSync(script)) return { file: node, args: [script] }
  if (found) return { file: found, args: [] }
  throw new SetupError(
    'npm is not on PATH; it usually comes with Node, on some systems as a separate package.',
  )
}
