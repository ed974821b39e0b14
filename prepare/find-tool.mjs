import { closeSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { isProgram, onPath } from './path.mjs'
import { compareVersions } from './versions.mjs'

/**
 * Where a tool may be on this machine, best first. Only looks at the file system; whether a program works is for the
 * caller to try.
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} prepared
 * @returns {string[]}
 */
export function candidates(tool, environment, prepared) {
  const folders = { '{playwright}': playwrightFolder(environment), '{prepared}': prepared }
  const found = tool.places.flatMap((place) => programsAt(place, environment, folders))
  const programs = found.filter((program) => !isSnap(program)).map((program) => behindScript(tool, program))
  // A script is better than nothing, but comes after every program, since what it starts may outlive it.
  const scripts = tool.behindScript ? programs.filter(isScript) : []
  return [...new Set([...programs.filter((program) => !scripts.includes(program)), ...scripts])]
}

/**
 * @param {string} place
 * @param {NodeJS.ProcessEnv} environment
 * @param {Record<string, string>} folders
 * @returns {string[]}
 */
function programsAt(place, environment, folders) {
  if (!place.includes('/')) return [onPath(place, environment)].filter((program) => program !== undefined)
  return expand(place.replace(/^\{\w+\}/, (name) => folders[name] ?? name)).filter(isProgram)
}

/**
 * @param {string} pattern
 * @returns {string[]}
 */
function expand(pattern) {
  const [first = '', ...rest] = pattern.split('/')
  let paths = [first === '' ? '/' : first]
  for (const part of rest) {
    paths = paths.flatMap((path) =>
      (part.includes('*') ? matching(path, part) : [part]).map((name) => join(path, name)),
    )
  }
  return paths
}

/**
 * @param {string} folder
 * @param {string} pattern
 * @returns {string[]} newest first
 */
function matching(folder, pattern) {
  const [before = '', after = ''] = pattern.split('*')
  return namesIn(folder)
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .sort((left, right) => compareVersions(right, left))
}

/** @param {string} folder */
function namesIn(folder) {
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
 * A snap cannot reach files outside its own folders, and its command is not the program itself.
 * @param {string} program
 */
function isSnap(program) {
  return basename(realpathSync(program)) === 'snap'
}

/**
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {string} program
 */
function behindScript(tool, program) {
  if (!tool.behindScript || !isScript(program)) return program
  const script = realpathSync(program)
  const name = basename(script)
  const real = tool.behindScript
    .map((place) => resolve(dirname(script), place.replace('{name}', name)))
    .find((place) => isProgram(place) && !isScript(place))
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
    // A program may be executable without being readable; scripts never are.
    return false
  }
  return start.toString() === '#!'
}
