import { closeSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { isProgram, onPath } from './path.mjs'
import { compareVersions } from './versions.mjs'

/**
 * Returns candidate paths of a tool, best first. Checks only that files exist; the caller must run the program.
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} prepared
 * @returns {string[]}
 */
export function candidates(tool, environment, prepared) {
  const folders = { '{playwright}': playwrightFolder(environment), '{prepared}': prepared }
  const found = tool.candidates.flatMap((location) => findPrograms(location, environment, folders))
  const programs = found.filter((program) => !isSnap(program)).map((program) => resolveScript(tool, program))
  // Scripts follow all programs, because the process that a script starts may outlive it.
  const scripts = tool.scriptTargets ? programs.filter(isScript) : []
  return [...new Set([...programs.filter((program) => !scripts.includes(program)), ...scripts])]
}

/**
 * @param {string} location
 * @param {NodeJS.ProcessEnv} environment
 * @param {Record<string, string>} folders
 * @returns {string[]}
 */
function findPrograms(location, environment, folders) {
  if (!location.includes('/'))
    return [onPath(location, environment)].filter((program) => program !== undefined)
  return expandPattern(location.replace(/^\{\w+\}/, (name) => folders[name] ?? name)).filter(isProgram)
}

/**
 * @param {string} pattern
 * @returns {string[]}
 */
function expandPattern(pattern) {
  const [first = '', ...rest] = pattern.split('/')
  let paths = [first === '' ? '/' : first]
  for (const part of rest) {
    paths = paths.flatMap((path) =>
      (part.includes('*') ? findMatches(path, part) : [part]).map((name) => join(path, name)),
    )
  }
  return paths
}

/**
 * @param {string} folder
 * @param {string} pattern
 * @returns {string[]} newest first
 */
function findMatches(folder, pattern) {
  const [before = '', after = ''] = pattern.split('*')
  return listNames(folder)
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .sort((left, right) => compareVersions(right, left))
}

/** @param {string} folder */
function listNames(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** @param {NodeJS.ProcessEnv} environment */
function playwrightFolder(environment) {
  const home = environment.HOME ?? homedir()
  const caches = process.platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache')
  return environment.PLAYWRIGHT_BROWSERS_PATH || join(caches, 'ms-playwright')
}

/**
 * Returns true for a snap, which cannot read files outside of its folders, and whose command is not the program.
 * @param {string} program
 */
function isSnap(program) {
  return basename(realpathSync(program)) === 'snap'
}

/**
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {string} program
 */
function resolveScript(tool, program) {
  if (!tool.scriptTargets || !isScript(program)) return program
  const script = realpathSync(program)
  const name = basename(script)
  const real = tool.scriptTargets
    .map((path) => resolve(dirname(script), path.replace('{name}', name)))
    .find((path) => isProgram(path) && !isScript(path))
  return real ?? program
}

/** @param {string} file */
function isScript(file) {
  const start = Buffer.alloc(2)
  try {
    const descriptor = openSync(file, 'r')
    readSync(descriptor, start, 0, 2, 0)
    closeSync(descriptor)
  } catch {
    // A file that is executable but not readable is a program, because scripts must be readable.
    return false
  }
  return start.toString() === '#!'
}
