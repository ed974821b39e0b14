import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasApt } from './apt.mjs'
import { candidates } from './find-tool.mjs'
import { lookForTools } from './look-for-tools.mjs'
import { placesUnder } from './paths.mjs'
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

// The real list also names folders of the system, which would make these tests depend on the machine.
const portable = tools.map((tool: Tool) => ({
  ...tool,
  places: tool.places.filter((place) => !place.startsWith('/')),
}))
const [chromium] = portable
const find = () => candidates(chromium, environment, join(root, '.prepared'))

describe('candidates', () => {
  it('are a headless shell before a whole browser', () => {
    const browser = binary('bin/chromium')
    const shell = binary('bin/chromium-headless-shell')
    expect(find()).toEqual([shell, browser])
  })

  it('are the program itself where the command is a script beside it', () => {
    script('bin/chromium-headless-shell')
    const shell = binary('lib/chromium/chromium-headless-shell')
    expect(find()).toEqual([shell])
  })

  it('are found behind a link to a script in another folder', () => {
    const real = binary('opt/chrome/chrome')
    script('opt/chrome/google-chrome')
    mkdirSync(join(root, 'bin'))
    symlinkSync(join(root, 'opt/chrome/google-chrome'), join(root, 'bin/google-chrome'))
    expect(find()).toEqual([real])
  })

  it('contain a script only after every program', () => {
    const wrapper = script('bin/chromium-headless-shell')
    const browser = binary('bin/chromium')
    expect(find()).toEqual([browser, wrapper])
  })

  it('leave out snaps', () => {
    binary('bin/snap')
    symlinkSync(join(root, 'bin/snap'), join(root, 'bin/chromium'))
    expect(find()).toEqual([])
  })

  it('leave out files that are not executable', () => {
    chmodSync(binary('bin/chromium'), 0o644)
    expect(find()).toEqual([])
  })

  it("include Playwright's downloads, the newest first", () => {
    const older = binary('.cache/ms-playwright/chromium_headless_shell-999/chrome-linux/headless_shell')
    const newer = binary('.cache/ms-playwright/chromium_headless_shell-1200/chrome-linux/headless_shell')
    expect(find()).toEqual([newer, older])
  })
})

describe('looking for tools', () => {
  const look = (recorded = {}) => lookForTools(placesUnder(root), environment, recorded, portable)

  it('finds a command on PATH and asks for its version', async () => {
    const path = script('bin/tesseract', 'echo tesseract 5.3.0')
    expect((await look()).tesseract).toEqual({ path, version: '5.3.0' })
  })

  it('runs nothing when the recorded program still stands', async () => {
    const recorded = { path: script('bin/tesseract', 'exit 1'), version: '5.0.0' }
    expect((await look({ tesseract: recorded })).tesseract).toEqual(recorded)
  })

  it('looks again when the recorded program is gone', async () => {
    const path = script('bin/tesseract', 'echo tesseract 5.3.0')
    const recorded = { path: join(root, 'elsewhere/tesseract'), version: '5.0.0' }
    expect((await look({ tesseract: recorded })).tesseract).toEqual({ path, version: '5.3.0' })
  })

  it('uses the program that the variable names', async () => {
    environment.CHROMIUM_PATH = script('own/chrome', 'echo Chromium 150.0.1')
    const expected = { path: environment.CHROMIUM_PATH, version: '150.0.1', by: 'CHROMIUM_PATH' }
    expect((await look()).chromium).toEqual(expected)
  })

  it('does not replace a wrong variable by something else', async () => {
    environment.CHROMIUM_PATH = '/nowhere/chrome'
    expect((await look()).chromium?.missing).toContain('CHROMIUM_PATH is /nowhere/chrome')
  })
})

describe('what is installed', () => {
  const wanted = (forTests: boolean) =>
    toolsToInstall({ places: placesUnder(root), environment: process.env, again: true, forTests }, {}).map(
      (tool: Tool) => tool.name,
    )

  it.skipIf(process.getuid?.() !== 0 || !hasApt())('is for the tests alone where only they use it', () => {
    expect(wanted(true)).toContain('tinyproxy')
    expect(wanted(false)).not.toContain('tinyproxy')
  })
})

describe('what the service gets by its environment', () => {
  const request = () => ({ places: placesUnder(root), environment, again: false })

  it('is the browser that was found', () => {
    const findings = { chromium: { path: '/found/chrome', version: '1' } }
    expect(environmentWith(request(), findings).CHROMIUM_PATH).toBe('/found/chrome')
  })

  it('is never another browser than the one the user named', () => {
    environment.CHROMIUM_URL = 'ws://fleet:9222'
    const findings = { chromium: { path: '/found/chrome', version: '1' } }
    expect(environmentWith(request(), findings).CHROMIUM_PATH).toBeUndefined()
  })

  it('is the folder of a tool that is not on PATH', () => {
    const findings = { tesseract: { path: '/opt/media/tesseract', version: '1' } }
    expect(environmentWith(request(), findings).PATH).toBe(`${root}/bin:/opt/media`)
  })
})

describe('advice', () => {
  it('names why, what for and the variable that would help', () => {
    const text = advice(chromium, { missing: 'not found' }, 'the mirror did not answer', environment)
    expect(text).toContain('not found; the mirror did not answer. Used for pages that need a browser')
    expect(text).toMatch(/or set CHROMIUM_PATH$/)
  })
})

function binary(path: string) {
  return put(path, '\x7fELF')
}

function script(path: string, body = 'exit 0') {
  return put(path, `#!/bin/sh\n${body}\n`)
}

function put(path: string, content: string) {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  chmodSync(file, 0o755)
  return file
}
