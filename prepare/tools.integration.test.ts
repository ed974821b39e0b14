import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasApt } from './apt.mjs'
import { detectTools } from './detect-tools.mjs'
import { candidates } from './find-tool.mjs'
import { pathsUnder } from './paths.mjs'
import { advice } from './tool-advice.mjs'
import { type Tool, tools } from './tool-list.mjs'
import { environmentWith, toolsToInstall } from './tools.mjs'

let root = ''
let environment: Record<string, string> = {}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tools-'))
  environment = { PATH: `${root}/bin`, HOME: root }
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

// System folders are removed from the list, because they would make the tests depend on the machine.
const portableTools = tools.map((tool: Tool) => ({
  ...tool,
  candidates: tool.candidates.filter((path) => !path.startsWith('/')),
}))
const [chromium] = portableTools
const find = () => candidates(chromium, environment, join(root, '.prepared'))

describe('candidates', () => {
  it('have a headless shell before a full browser', () => {
    const browser = binary('bin/chromium')
    const shell = binary('bin/chromium-headless-shell')
    expect(find()).toEqual([shell, browser])
  })

  it('contain the program instead of the script that starts it', () => {
    script('bin/chromium-headless-shell')
    const shell = binary('lib/chromium/chromium-headless-shell')
    expect(find()).toEqual([shell])
  })

  it('contain the program of a script in another folder, found by a symbolic link', () => {
    const real = binary('opt/chrome/chrome')
    script('opt/chrome/google-chrome')
    mkdirSync(join(root, 'bin'))
    symlinkSync(join(root, 'opt/chrome/google-chrome'), join(root, 'bin/google-chrome'))
    expect(find()).toEqual([real])
  })

  it('contain scripts after all programs', () => {
    const wrapper = script('bin/chromium-headless-shell')
    const browser = binary('bin/chromium')
    expect(find()).toEqual([browser, wrapper])
  })

  it('omit snaps', () => {
    binary('bin/snap')
    symlinkSync(join(root, 'bin/snap'), join(root, 'bin/chromium'))
    expect(find()).toEqual([])
  })

  it('omit files that are not executable', () => {
    chmodSync(binary('bin/chromium'), 0o644)
    expect(find()).toEqual([])
  })

  it("contain Playwright's downloads, newest first", () => {
    const older = binary('.cache/ms-playwright/chromium_headless_shell-999/chrome-linux/headless_shell')
    const newer = binary('.cache/ms-playwright/chromium_headless_shell-1200/chrome-linux/headless_shell')
    expect(find()).toEqual([newer, older])
  })
})

describe('lookForTools()', () => {
  const runLookup = (recorded = {}) => detectTools(pathsUnder(root), environment, recorded, portableTools)

  it('finds a command on PATH, and its version', async () => {
    const path = script('bin/tesseract', 'echo tesseract 5.3.0')
    expect((await runLookup()).tesseract).toEqual({ path, version: '5.3.0' })
  })

  it('does not run a recorded program that still exists', async () => {
    const recorded = { path: script('bin/tesseract', 'exit 1'), version: '5.0.0' }
    expect((await runLookup({ tesseract: recorded })).tesseract).toEqual(recorded)
  })

  it('searches again if the recorded program is missing', async () => {
    const path = script('bin/tesseract', 'echo tesseract 5.3.0')
    const recorded = { path: join(root, 'elsewhere/tesseract'), version: '5.0.0' }
    expect((await runLookup({ tesseract: recorded })).tesseract).toEqual({ path, version: '5.3.0' })
  })

  it('uses the program that the environment variable sets', async () => {
    environment.CHROMIUM_PATH = script('own/chrome', 'echo Chromium 150.0.1')
    const expected = { path: environment.CHROMIUM_PATH, version: '150.0.1', by: 'CHROMIUM_PATH' }
    expect((await runLookup()).chromium).toEqual(expected)
  })

  it('reports an invalid path of the environment variable, and does not replace it', async () => {
    environment.CHROMIUM_PATH = '/nowhere/chrome'
    expect((await runLookup()).chromium?.missing).toContain('CHROMIUM_PATH is /nowhere/chrome')
  })
})

describe('toolsToInstall()', () => {
  const namesToInstall = (forTests: boolean) =>
    toolsToInstall(
      { paths: pathsUnder(root), environment: process.env, ignoreRecords: true, forTests },
      {},
    ).map((tool: Tool) => tool.name)

  it.skipIf(process.getuid?.() !== 0 || !hasApt())('returns tools of the tests only for the tests', () => {
    expect(namesToInstall(true)).toContain('tinyproxy')
    expect(namesToInstall(false)).not.toContain('tinyproxy')
  })
})

describe('the environment of the service', () => {
  const request = () => ({ paths: pathsUnder(root), environment, ignoreRecords: false })

  it('contains the path of the browser', () => {
    const statuses = { chromium: { path: '/found/chrome', version: '1' } }
    expect(environmentWith(request(), statuses).CHROMIUM_PATH).toBe('/found/chrome')
  })

  it('does not contain another browser than the one that the user set', () => {
    environment.CHROMIUM_URL = 'ws://fleet:9222'
    const statuses = { chromium: { path: '/found/chrome', version: '1' } }
    expect(environmentWith(request(), statuses).CHROMIUM_PATH).toBeUndefined()
  })

  it('has the folder of a tool appended to PATH', () => {
    const statuses = { tesseract: { path: '/opt/media/tesseract', version: '1' } }
    expect(environmentWith(request(), statuses).PATH).toBe(`${root}/bin:/opt/media`)
  })
})

describe('advice()', () => {
  it('contains the reason, the purpose and the environment variable', () => {
    const text = advice(chromium, { missing: 'not found' }, 'the mirror did not answer', environment)
    expect(text).toContain('not found; the mirror did not answer. Used for pages that need a browser')
    expect(text).toMatch(/or set CHROMIUM_PATH$/)
  })
})

function binary(path: string) {
  return writeProgram(path, '\x7fELF')
}

function script(path: string, body = 'exit 0') {
  return writeProgram(path, `#!/bin/sh\n${body}\n`)
}

function writeProgram(path: string, content: string) {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  chmodSync(file, 0o755)
  return file
}
