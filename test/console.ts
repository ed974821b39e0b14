import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The console that preparation built. */
export const consoleFolder =
  process.env.CONSOLE_PATH ?? join(import.meta.dirname, '..', '.prepared', 'console')

if (!existsSync(join(consoleFolder, 'index.html'))) {
  throw new Error('The console is not built: `npm test` does that.')
}
