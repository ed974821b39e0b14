import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findCodePrograms } from './programs.ts'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'programs-')))
  mkdirSync(join(root, 'bin'))
})
afterEach(() => rmSync(root, { recursive: true }))

const installPlaywright = () =>
  mkdirSync(join(root, 'lib', 'python3.11', 'site-packages', 'playwright'), { recursive: true })
const python = () =>
  findCodePrograms({ pythonPath: join(root, 'bin', 'python3'), agentBrowserPath: undefined }).python

describe('the configured Python', () => {
  it('is used if it links to a system program and has Playwright', () => {
    symlinkSync('/usr/bin/env', join(root, 'bin', 'python3'))
    installPlaywright()
    expect(python()).toBe(root)
  })

  it('is not used without Playwright', () => {
    symlinkSync('/usr/bin/env', join(root, 'bin', 'python3'))
    expect(python()).toBeUndefined()
  })

  it('is not used if it links outside the paths of the sandbox', () => {
    writeFileSync(join(root, 'elsewhere'), '')
    symlinkSync(join(root, 'elsewhere'), join(root, 'bin', 'python3'))
    installPlaywright()
    expect(python()).toBeUndefined()
  })

  it('is not used if it does not exist', () => {
    installPlaywright()
    expect(python()).toBeUndefined()
  })
})

it('findCodePrograms omits an agent-browser that does not exist', () => {
  const settings = { pythonPath: undefined, agentBrowserPath: join(root, 'agent-browser') }
  expect(findCodePrograms(settings).agentBrowser).toBeUndefined()
})
