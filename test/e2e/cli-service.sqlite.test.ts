import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { serviceUrl, winnow } from '../cli.ts'
import { onFreePort } from '../servers/free-port.ts'
import { temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const closedPort = () => onFreePort(async (port) => port)

describe.concurrent('winnow commands for the service', () => {
  it('asks the support agent', async ({ expect }) => {
    const { code, stdout } = await winnow(['ask', 'how', 'do I crawl a site?'])
    expect(code).toBe(0)
    expect(stdout).toContain('Confidence: ')
  })

  it('lists calls, newest first', async ({ expect }) => {
    await winnow(['map', `${site.url}/tree`])
    const { code, stdout } = await winnow(['activity', '--endpoint', 'map', '-n', '1'])
    expect(code).toBe(0)
    expect(stdout.split('\t').slice(1, 3)).toEqual(['map', 'completed'])
  })

  it('checks the service, and names the variable that enables a missing feature', async ({ expect }) => {
    const { code, stdout } = await winnow(['doctor'])
    // On a busy machine the service may briefly be not ready. The exit code then reports a failed check.
    expect(code).toBe(stdout.includes('✗') ? 1 : 0)
    expect(stdout).toMatch(/✓ key +team /)
    expect(stdout).toMatch(/· language model .*→ MODEL_URL/)
  })

  it('measures the latency of a page', async ({ expect }) => {
    const { code, stdout } = await winnow(['bench', `${site.url}/article`, '-n', '4', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ requests: 4, failed: 0, p50Ms: expect.any(Number) })
  })

  it('creates, lists and revokes keys with an operator key', async ({ expect }) => {
    const operator = { environment: { WINNOW_API_KEY: inject('deployment').key } }
    const created = await winnow(['keys', 'create', '--team', 'of the command line', '--new-team'], operator)
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+\n$/) })
    const key = created.stdout.trim()
    const listed = await winnow(['keys', 'list', '--team', 'of the command line'], operator)
    const [id = '', hint = ''] = listed.stdout.split('\t')
    expect(key.startsWith(hint.replaceAll('…', ''))).toBe(true)
    expect((await winnow(['keys', 'revoke', id], operator)).code).toBe(0)
    expect((await winnow(['activity', '--key', key])).code).toBe(4)
  })

  it('rejects a team key for operator commands', async ({ expect }) => {
    const { code, stderr } = await winnow(['keys', 'list'])
    expect(code).toBe(4)
    expect(stderr).toContain('--key')
  })
})

describe.concurrent('winnow and the key', () => {
  const withKeyFile = () => {
    const keyFolder = temporaryFolder()
    mkdirSync(join(keyFolder.path, 'data'))
    writeFileSync(join(keyFolder.path, 'data', 'api-key'), `${inject('deployment').key}\n`)
    return keyFolder
  }

  it('finds the key file of this machine, and reports its path but not the key', async ({ expect }) => {
    const keyFolder = withKeyFile()
    const environment = { WINNOW_API_KEY: undefined }
    const { code, stderr } = await winnow(['activity', '--verbose'], { environment, folder: keyFolder.path })
    expect(code).toBe(0)
    expect(stderr).toContain(join('data', 'api-key'))
    expect(stderr).not.toContain(inject('deployment').key)
    keyFolder.remove()
  })

  it('sends the key only to loopback addresses', async ({ expect }) => {
    const keyFolder = withKeyFile()
    // This address reaches this machine, but is not in the loopback network.
    const environment = {
      WINNOW_API_KEY: undefined,
      WINNOW_URL: serviceUrl().replace('127.0.0.1', '0.0.0.0'),
    }
    const { code, stderr } = await winnow(['activity', '--verbose'], { environment, folder: keyFolder.path })
    expect({ code, key: /Key: (\S+)/.exec(stderr)?.[1] }).toEqual({ code: 4, key: 'none.' })
    keyFolder.remove()
  })
})

describe.concurrent('winnow exit codes and help', () => {
  it('exits with 2 if the command line is invalid, before any request is sent', async ({ expect }) => {
    const { code, stdout, stderr } = await winnow(['scrape', 'https://a.example', '--formt', 'html'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Do you mean "format"?')
  })

  it('exits with 3 if no service is running, and explains how to start one', async ({ expect }) => {
    const environment = { WINNOW_URL: `http://127.0.0.1:${await closedPort()}` }
    const { code, stderr } = await winnow(['doctor'], { environment })
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    const activity = await winnow(['activity'], { environment })
    expect(activity).toMatchObject({ code: 3, stderr: expect.stringContaining('npm start') })
  })

  it('exits with 4 if the key is rejected', async ({ expect }) => {
    const { code, stderr } = await winnow(['activity', '--key', 'wrong'])
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('--key') })
  })

  it('shows help for each command', async ({ expect }) => {
    const [generalHelp, commandHelp] = await Promise.all([
      winnow(['--help']),
      winnow(['help', 'browser', 'run']),
    ])
    expect(generalHelp).toMatchObject({ code: 0, stdout: expect.stringContaining('Exit codes:') })
    expect(commandHelp).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('winnow browser run ID [CODE]'),
    })
  })
})
