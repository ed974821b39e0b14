import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The console that preparation built. */
export const consoleFolder =
  process.env.CONSOLE_PATH ?? join(import.meta.dirname, '..', '.prepared', 'console')

export const hasConsole = existsSync(join(consoleFolder, 'index.html'))

/** Tests of the console cannot do without. */
export function needConsole(): void {
  if (!hasConsole) throw new Error('The console is not built: `npm test` does that.')
}
