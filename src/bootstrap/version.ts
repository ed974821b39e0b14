import { readFileSync } from 'node:fs'

/** Of the package: stated once, in package.json. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version
