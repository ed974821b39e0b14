import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installConsolePackages } from './console.mjs'
import { pathsUnder, paths as real } from './paths.mjs'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'console-'))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

/** Runs with a missing Node, so that every npm install fails. */
const install = (paths: typeof real) =>
  installConsolePackages(paths, { environment: { PATH: '' }, node: join(root, 'no-node') })

it('installs nothing if the packages are present, except those of other platforms', async () => {
  await expect(install(real)).resolves.toBeUndefined()
})

it('installs the packages again if the lock file names another version', async () => {
  const console = join(root, 'console')
  mkdirSync(join(console, 'node_modules', 'vite'), { recursive: true })
  for (const record of ['package-lock.json', 'node_modules/.package-lock.json'])
    cpSync(join(real.root, 'console', record), join(console, record))
  const paths = pathsUnder(root)
  await install(paths)
  const lock = { packages: { '': {}, 'node_modules/vite': { version: '0.0.1' } } }
  writeFileSync(join(console, 'package-lock.json'), JSON.stringify(lock))
  await expect(install(paths)).rejects.toThrow('npm')
})
