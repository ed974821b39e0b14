import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Loads Playwright with the first browser, because a service that never renders should not keep the driver in memory.
 * Loading takes half a second of processor time, so it is spread over two turns of the event loop. `import` would scan
 * both files for names once more.
 */
export async function loadPlaywright(): Promise<typeof import('playwright-core')> {
  require('playwright-core/lib/utilsBundle')
  await new Promise((resolve) => setImmediate(resolve))
  return require('playwright-core')
}
