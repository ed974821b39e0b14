import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} ProjectPaths
 * @property {string} root folder of the project
 * @property {string} runtime folder of the lock files, in which Node is installed if the machine's Node is too old
 * @property {string} prepared folder of installed programs, and of records between runs
 */

/** @type {ProjectPaths} */
export const paths = pathsUnder(resolve(fileURLToPath(import.meta.url), '..', '..'))

/** @param {string} root */
export function pathsUnder(root) {
  return { root, runtime: join(root, 'runtime'), prepared: join(root, '.prepared') }
}
