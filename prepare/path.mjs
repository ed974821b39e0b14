import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/**
 * Returns the path of the first program on PATH with that name.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined}
 */
export function onPath(name, environment) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

/** @param {string} file */
export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/**
 * Returns the environment with a program first on PATH; unchanged if the name already resolves to that program.
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} name
 * @param {string} program
 * @returns {NodeJS.ProcessEnv}
 */
export function withProgramFirst(environment, name, program) {
  const current = onPath(name, environment)
  if (current !== undefined && realpathSync(current) === realpathSync(program)) return environment
  const folders = environment.PATH ? [dirname(program), environment.PATH] : [dirname(program)]
  return { ...environment, PATH: folders.join(delimiter) }
}
