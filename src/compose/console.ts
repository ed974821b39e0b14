import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../settings.ts'

/** The folder of the console; undefined where none was built, and `off` where nobody wants it. */
export function findConsole({ console }: Pick<Settings, 'console'>): string | undefined {
  if (console === undefined || console === 'off') return console
  return existsSync(join(console, 'index.html')) ? console : undefined
}
