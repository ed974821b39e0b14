import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { preparedAgentBrowser } from './agent-browser.mjs'
import { codeEnvironment, codeProgramsToInstall } from './code.mjs'
import { pathsUnder, paths as real } from './paths.mjs'
import { preparedPython } from './python.mjs'
import { preparedSentenceModel } from './sentence-model.mjs'
import { hashOf, writeRecord } from './state-files.mjs'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'code-'))
  for (const name of ['python', 'agent-browser', 'javascript', 'sentence-model']) {
    cpSync(join(real.runtime, name), join(root, 'runtime', name), { recursive: true })
  }
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

const paths = () => pathsUnder(root)
const request = (environment: Record<string, string> = {}) => ({
  paths: paths(),
  environment,
  ignoreRecords: false,
})
const sandbox = { bubblewrap: { path: '/usr/bin/bwrap' } }
const namesToInstall = (environment?: Record<string, string>, statuses: object = sandbox) =>
  codeProgramsToInstall(request(environment), statuses).map(({ name }: { name: string }) => name)

describe('programs for code', () => {
  it('are all missing if none is installed', () => {
    expect(namesToInstall()).toEqual([
      'Playwright for Python',
      'agent-browser',
      'sentence model',
      'console',
      'bundle',
    ])
  })

  it('are skipped without a sandbox, and if installs are off', () => {
    expect(namesToInstall({}, {})).toEqual(['sentence model', 'console', 'bundle'])
    expect(namesToInstall({ PREPARE_TOOLS: 'off' })).toEqual([])
  })

  it('are skipped if the user has set their path', () => {
    expect(namesToInstall({ PYTHON_PATH: '/opt/python/bin/python3' })).toEqual([
      'agent-browser',
      'sentence model',
      'console',
      'bundle',
    ])
    expect(namesToInstall({ SEARCH_SENTENCE_MODEL: 'off' })).toEqual([
      'Playwright for Python',
      'agent-browser',
      'console',
      'bundle',
    ])
  })

  it('are not retried on the day of a failed install', () => {
    writeRecord(join(paths().prepared, 'code-tried.json'), {
      ...{ at: new Date().toISOString(), names: ['agent-browser'] },
    })
    expect(namesToInstall()).toEqual(['Playwright for Python', 'sentence model', 'console', 'bundle'])
  })

  it('include the language model only for model tests, which retry it each time', () => {
    writeRecord(join(paths().prepared, 'code-tried.json'), {
      ...{ at: new Date().toISOString(), names: ['agent-browser', 'small language model'] },
    })
    const forModelTests = codeProgramsToInstall({ ...request(), forModelTests: true }, {})
    expect(forModelTests.map(({ name }: { name: string }) => name)).toEqual([
      'sentence model',
      'console',
      'bundle',
      'small language model',
    ])
    expect(namesToInstall()).not.toContain('small language model')
  })

  it('are passed to the service by environment variables, unless the user has set them', () => {
    const program = installAgentBrowser()
    expect(codeEnvironment(request())).toEqual({ AGENT_BROWSER_PATH: program })
    expect(codeEnvironment(request({ AGENT_BROWSER_PATH: '/own' }))).toEqual({})
  })

  it('are outdated after a change of their lock file', () => {
    installAgentBrowser()
    writeFileSync(join(root, 'runtime', 'agent-browser', 'package-lock.json'), '{}')
    expect(preparedAgentBrowser(paths())).toBeUndefined()
  })
})

describe('the sentence model', () => {
  it('is a folder, and is outdated after a change of its lock file', () => {
    const lock = join(root, 'runtime', 'sentence-model', 'package-lock.json')
    writeRecord(join(paths().prepared, 'sentence-model.json'), { lock: hashOf(lock) })
    expect(preparedSentenceModel(paths())).toBeUndefined()
    const folder = dirname(executable(join(paths().prepared, 'sentence-model', 'model.onnx')))
    expect(codeEnvironment(request())).toEqual({ SEARCH_SENTENCE_MODEL: folder })
    writeFileSync(lock, '{}')
    expect(preparedSentenceModel(paths())).toBeUndefined()
  })
})

describe('Python', () => {
  it('is outdated if the system has another Python', () => {
    const program = executable(join(paths().prepared, 'python', 'bin', 'python3'))
    const requirements = hashOf(join(root, 'runtime', 'python', 'requirements.txt'))
    const record = join(paths().prepared, 'python.json')
    writeRecord(record, { python: program, requirements })
    expect(preparedPython(paths())).toBe(program)
    writeRecord(record, { python: '/usr/bin/python3.0', requirements })
    expect(preparedPython(paths())).toBeUndefined()
  })
})

function installAgentBrowser(): string {
  const lock = hashOf(join(root, 'runtime', 'agent-browser', 'package-lock.json'))
  writeRecord(join(paths().prepared, 'agent-browser.json'), { lock })
  return executable(join(paths().prepared, 'agent-browser', 'agent-browser'))
}

function executable(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  chmodSync(path, 0o755)
  return path
}
