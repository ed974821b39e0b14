import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loading takes half a second, so it is spread over two turns. `import` would scan both files for names again. */
export async function loadPlaywright(): Promise<typeof import('playwright-core')> {
  require('playwright-core/lib/utilsBundle')
  await new Promise((resolve) => setImmediate(resolve))
  return require('playwright-core')
}
