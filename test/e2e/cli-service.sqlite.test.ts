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

describe.concurrent('winnow about the service', () => {
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

  it('checks the service and says which variable enables what is missing', async ({ expect }) => {
    const { code, stdout } = await winnow(['doctor'])
    // A machine with much to do may be not ready for a moment; then that is what it says.
    expect(code).toBe(stdout.includes('✗') ? 1 : 0)
    expect(stdout).toMatch(/✓ key +team /)
    expect(stdout).toMatch(/· language model .*→ MODEL_URL/)
  })

  it('measures a page', async ({ expect }) => {
    const { code, stdout } = await winnow(['bench', `${site.url}/article`, '-n', '4', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ requests: 4, failed: 0, p50Ms: expect.any(Number) })
  })

  it("makes, lists and revokes keys with an operator's key", async ({ expect }) => {
    const operator = { environment: { WINNOW_API_KEY: inject('deployment').key } }
    const made = await winnow(['keys', 'create', '--team', 'of the command line', '--new-team'], operator)
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+\n$/) })
    const key = made.stdout.trim()
    const listed = await winnow(['keys', 'list', '--team', 'of the command line'], operator)
    const [id = '', hint = ''] = listed.stdout.split('\t')
    expect(key.startsWith(hint.replaceAll('…', ''))).toBe(true)
    expect((await winnow(['keys', 'revoke', id], operator)).code).toBe(0)
    expect((await winnow(['activity', '--key', key])).code).toBe(4)
  })

  it('refuses keys of teams where an operator is needed', async ({ expect }) => {
    const { code, stderr } = await winnow(['keys', 'list'])
    expect(code).toBe(4)
    expect(stderr).toContain('--key')
  })
})

describe.concurrent('winnow and the key', () => {
  const withKeyFile = () => {
    const own = temporaryFolder()
    mkdirSync(join(own.path, 'data'))
    writeFileSync(join(own.path, 'data', 'api-key'), `${inject('deployment').key}\n`)
    return own
  }

  it('finds the key of this machine, and says so without showing it', async ({ expect }) => {
    const own = withKeyFile()
    const environment = { WINNOW_API_KEY: undefined }
    const { code, stderr } = await winnow(['activity', '--verbose'], { environment, folder: own.path })
    expect(code).toBe(0)
    expect(stderr).toContain(join('data', 'api-key'))
    expect(stderr).not.toContain(inject('deployment').key)
    own.remove()
  })

  it('does not send it to any address but those of this machine', async ({ expect }) => {
    const own = withKeyFile()
    // Reaches this machine, and is not an address of the loopback network.
    const environment = {
      WINNOW_API_KEY: undefined,
      WINNOW_URL: serviceUrl().replace('127.0.0.1', '0.0.0.0'),
    }
    const { code, stderr } = await winnow(['activity', '--verbose'], { environment, folder: own.path })
    expect({ code, key: /Key: (\S+)/.exec(stderr)?.[1] }).toEqual({ code: 4, key: 'none.' })
    own.remove()
  })
})

describe.concurrent('winnow says what is wrong', () => {
  it('ends with 2 where the command line is wrong, before anything is sent', async ({ expect }) => {
    const { code, stdout, stderr } = await winnow(['scrape', 'https://a.example', '--formt', 'html'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Do you mean "format"?')
  })

  it('ends with 3 where no service is, and says how to start one', async ({ expect }) => {
    const environment = { WINNOW_URL: `http://127.0.0.1:${await closedPort()}` }
    const { code, stderr } = await winnow(['doctor'], { environment })
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    const asked = await winnow(['activity'], { environment })
    expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining('npm start') })
  })

  it('ends with 4 where the key is refused', async ({ expect }) => {
    const { code, stderr } = await winnow(['activity', '--key', 'wrong'])
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('--key') })
  })

  it('shows help for each command', async ({ expect }) => {
    const [whole, one] = await Promise.all([winnow(['--help']), winnow(['help', 'browser', 'run'])])
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('Exit codes:') })
    expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining('winnow browser run ID [CODE]') })
  })
})
