import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of the console that the setup built. */
export const consoleFolder =
  process.env.CONSOLE_PATH ?? join(import.meta.dirname, '..', '.prepared', 'console')

export const hasConsole = existsSync(join(consoleFolder, 'index.html'))

/** Throws if the console is not built, because tests of the console require it. */
export function assertConsoleBuilt(): void {
  if (!hasConsole) throw new Error('The console is not built: `npm test` does that.')
}
