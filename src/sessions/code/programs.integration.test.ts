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

const installed = () =>
  mkdirSync(join(root, 'lib', 'python3.11', 'site-packages', 'playwright'), { recursive: true })
const python = () =>
  findCodePrograms({ pythonPath: join(root, 'bin', 'python3'), agentBrowserPath: undefined }).python

describe('the Python that is named', () => {
  it('is used when it is one of the system and has Playwright', () => {
    symlinkSync('/usr/bin/env', join(root, 'bin', 'python3'))
    installed()
    expect(python()).toBe(root)
  })

  it('is not used without Playwright', () => {
    symlinkSync('/usr/bin/env', join(root, 'bin', 'python3'))
    expect(python()).toBeUndefined()
  })

  it('is not used when it leads to where the sandbox does not see', () => {
    writeFileSync(join(root, 'elsewhere'), '')
    symlinkSync(join(root, 'elsewhere'), join(root, 'bin', 'python3'))
    installed()
    expect(python()).toBeUndefined()
  })

  it('is not used when it is not there', () => {
    installed()
    expect(python()).toBeUndefined()
  })
})

it('does not name an agent-browser that is not there', () => {
  const named = { pythonPath: undefined, agentBrowserPath: join(root, 'agent-browser') }
  expect(findCodePrograms(named).agentBrowser).toBeUndefined()
})
