import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { allocator, commands, heap, stepsOf } from './commands.mjs'
import { withLock } from './lock.mjs'
import { findNode } from './node.mjs'
import { hasEveryPackage } from './npm.mjs'
import { packagesReady, scopeToInstall } from './packages.mjs'
import { withProgramFirst } from './path.mjs'
import { pathsUnder } from './paths.mjs'
import { hashOf, writeRecord } from './state-files.mjs'
import { userSetting } from './user-setting.mjs'
import { compareVersions } from './versions.mjs'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prepare-'))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

describe('compareVersions()', () => {
  it('compares numbers, not letters', () => {
    expect(compareVersions('24.9.0', '24.10.0')).toBeLessThan(0)
    expect(compareVersions('chromium-1200', 'chromium-999')).toBeGreaterThan(0)
    expect(compareVersions('24', '24.0.0')).toBe(0)
  })
})

describe('the image', () => {
  it('starts the service with the flags and variables of npm start', () => {
    const dockerfile = readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8')
    expect(dockerfile).toContain(
      `CMD ${JSON.stringify(['node', ...heap, '.prepared/service/main.js']).replaceAll(',', ', ')}`,
    )
    for (const [name, value] of Object.entries(allocator)) expect(dockerfile).toContain(`  ${name}=${value} `)
  })
})

describe('the Node program', () => {
  it('is the running one if it is new enough', () => {
    expect(findNode(pathsUnder(root), '24.0.0')).toBe(process.execPath)
  })

  it('is undefined if the running one is too old and none is installed', () => {
    write('runtime/package-lock.json', '{}')
    expect(findNode(pathsUnder(root), '20.20.2')).toBeUndefined()
  })

  it('has its folder first on PATH', () => {
    const chosen = program('chosen/node')
    const other = program('other/node')
    const environment = withProgramFirst({ PATH: dirname(other) }, 'node', chosen)
    expect(environment.PATH).toBe(`${dirname(chosen)}:${dirname(other)}`)
  })

  it('does not change PATH if it already resolves to that Node', () => {
    const environment = { PATH: dirname(program('chosen/node')) }
    expect(withProgramFirst(environment, 'node', join(root, 'chosen/node'))).toBe(environment)
  })
})

describe('installed packages', () => {
  const installed = (scope: string, complete = true) => {
    const lock = write('package-lock.json', '{"packages":{}}')
    write('node_modules/.package-lock.json', '{}')
    const platform = `${process.platform}-${process.arch}`
    writeRecord(join(root, '.prepared/packages.json'), { scope, complete, platform, lock: hashOf(lock) })
    return pathsUnder(root)
  }

  it('for development are ready for production', () => {
    expect(packagesReady(installed('all'), 'production')).toBe(true)
  })

  it('for production are not ready for development', () => {
    expect(packagesReady(installed('production'), 'all')).toBe(false)
  })

  it('are not ready after a change of the lock file', () => {
    const paths = installed('all')
    write('package-lock.json', '{"packages":{"a":{}}}')
    expect(packagesReady(paths, 'all')).toBe(false)
  })

  it('are not ready after an interrupted install', () => {
    expect(packagesReady(installed('all', false), 'all')).toBe(false)
  })

  it('are not ready if node_modules is missing', () => {
    const paths = installed('all')
    rmSync(join(root, 'node_modules'), { recursive: true })
    expect(packagesReady(paths, 'all')).toBe(false)
  })

  it('keep packages for development if the scope is production', () => {
    expect(scopeToInstall(installed('all', false), 'production')).toBe('all')
    expect(scopeToInstall(installed('production', false), 'production')).toBe('production')
  })

  it('keep packages for development that were installed without this program', () => {
    write('node_modules/.package-lock.json', '{ "packages": { "node_modules/a": { "dev": true } } }')
    expect(scopeToInstall(pathsUnder(root), 'production')).toBe('all')
  })

  it('are all named by a lock file only if it has those for other platforms', () => {
    const tool = { optionalDependencies: { 'tool-linux': '1', '@tool/mac': '1' } }
    const packages = { 'node_modules/tool': tool, 'node_modules/tool-linux': {} }
    expect(hasEveryPackage({ packages })).toBe(false)
    expect(hasEveryPackage({ packages: { ...packages, 'node_modules/@tool/mac': {} } })).toBe(true)
  })
})

describe('the lock', () => {
  it('is held while the work runs, and released afterwards', async () => {
    const folder = join(root, 'lock')
    const during = await withLock(folder, async () => readdirSync(folder))
    expect(during).toEqual([expect.stringMatching(new RegExp(`^${process.pid}-`))])
    expect(readdirSync(folder)).toEqual([])
  })

  it('is taken over from a dead owner', async () => {
    const dead = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim()
    write(`lock/${dead}-1`, '')
    expect(await withLock(join(root, 'lock'), async () => 'done')).toBe('done')
  })

  it('is taken over if another process has the process id of its owner', async () => {
    write(`lock/${process.ppid}-1`, '')
    expect(await withLock(join(root, 'lock'), async () => 'done')).toBe('done')
  })

  it('is released after work that failed', async () => {
    const failing = withLock(join(root, 'lock'), async () => Promise.reject(new Error('failed')))
    await expect(failing).rejects.toThrow('failed')
    expect(readdirSync(join(root, 'lock'))).toEqual([])
  })
})

describe('commands', () => {
  it('pass arguments only to their last step', () => {
    const steps = stepsOf(commands.test, ['src/content'], {})
    expect(steps.map((step: { args: string[] }) => step.args.at(-1))).toEqual([
      '.',
      'tools/check-words.ts',
      '--no-progress',
      '--noEmit',
      'console',
      'src/content',
    ])
  })

  it('start the bundle if it exists, and the sources in development', () => {
    const program = '/project/.prepared/service/main.js'
    const started = (name: string, environment: object) =>
      stepsOf(commands[name], [], environment)[0].args.at(-1)
    expect(started('start', {})).toBe('src/main.ts')
    expect(started('start', { SERVICE_PROGRAM: program })).toBe(program)
    expect(started('dev', { SERVICE_PROGRAM: program })).toBe('src/main.ts')
  })

  it('need only packages for production if they only run the service', () => {
    const names = Object.keys(commands).filter((name) => commands[name].packages === 'production')
    expect(names).toEqual(['start', 'doctor', 'key', 'prepare'])
  })
})

describe('a setting of the user', () => {
  it('is read from the environment before .env', () => {
    write('.env', 'CHROMIUM_PATH="/from/file"\n')
    expect(userSetting('CHROMIUM_PATH', { CHROMIUM_PATH: '/from/environment' }, root)).toBe(
      '/from/environment',
    )
    expect(userSetting('CHROMIUM_PATH', {}, root)).toBe('/from/file')
  })

  it('is not read from a comment or an empty value', () => {
    write('.env', '# CHROMIUM_PATH=/commented\nCHROMIUM_PATH=\nCHROMIUM_URL=\n')
    expect(userSetting('CHROMIUM_PATH', {}, root)).toBeUndefined()
  })
})

function write(path: string, content: string) {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

function program(path: string) {
  const file = write(path, path)
  chmodSync(file, 0o755)
  return file
}
