import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Places
 * @property {string} root the project
 * @property {string} runtime where Node is installed when the machine's is too old
 * @property {string} prepared what preparation remembers between runs
 */

/** @type {Places} */
export const places = placesUnder(resolve(fileURLToPath(import.meta.url), '..', '..'))

/** @param {string} root */
export function placesUnder(root) {
  return { root, runtime: join(root, 'runtime'), prepared: join(root, '.prepared') }
}
