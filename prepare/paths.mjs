import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Places
 * @property {string} root folder of the project
 * @property {string} runtime folder of the lock files, in which Node is installed if the machine's Node is too old
 * @property {string} prepared folder of installed programs, and of records between runs
 */

/** @type {Places} */
export const places = placesUnder(resolve(fileURLToPath(import.meta.url), '..', '..'))

/** @param {string} root */
export function placesUnder(root) {
  return { root, runtime: join(root, 'runtime'), prepared: join(root, '.prepared') }
}
