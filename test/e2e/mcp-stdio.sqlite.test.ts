import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, type Json, teamKey } from '../api.ts'
import { type Revision, revisions, untrustedText, withTools } from '../mcp.ts'
import { type Site, startSite } from '../site/site.ts'

const winnow = fileURLToPath(new URL('../../client/bin/winnow.mjs', import.meta.url))

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const environment = (changes: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  WINNOW_URL: inject('deployment').urls[0] ?? '',
  WINNOW_API_KEY: teamKey(),
  ...changes,
})

async function connect(mode: Revision = 'legacy', changes: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const env = environment(changes)
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [winnow, 'mcp'], env, stderr: 'ignore' }),
  )
  return withTools(client)
}

/** Runs a program to its end with this input. */
async function run(program: string[], { input = '', env = environment() } = {}) {
  const child = spawn(process.execPath, program, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (part) => (out += part))
  child.stderr.on('data', (part) => (err += part))
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code: code as number, out, err }
}

describe.each(revisions)('a client of %s over standard input and output', (name, mode) => {
  it('lists and uses tools, reads resources, receives progress, and cancels', async () => {
    const { client, callTool, close } = await connect(mode)
    expect((await client.listTools()).tools.length).toBeGreaterThan(15)
    const { text } = await callTool('scrape', { url: `${site.url}/pages/6` })
    expect(untrustedText(text)).toContain('This is the text of page 6.')
    const uri = `winnow://scrapes/${/scrapeId (\S+)/.exec(text)?.[1]}`
    expect(((await client.readResource({ uri })).contents[0] as Json).text).toContain('page 6')
    const progressEvents: Json[] = []
    const urls = [`${site.url}/pages/1`]
    await callTool(
      'batch_scrape',
      { urls, waitSeconds: 30 },
      { onprogress: (progress: Json) => progressEvents.push(progress) },
    )
    expect(progressEvents[0]).toMatchObject({ progress: expect.any(Number), total: 1 })
    const url = `${site.url}/hang?stdio-${name}`
    const controller = new AbortController()
    const hanging = callTool('scrape', { url, maxAge: 0 }, { signal: controller.signal })
    await expect.poll(() => site.requests.some(({ path }) => path.endsWith(`stdio-${name}`))).toBe(true)
    controller.abort()
    await expect(hanging).rejects.toThrow()
    await expect
      .poll(async () => {
        const { body } = await call('GET', '/v2/team/activity?endpoint=scrape')
        return body.data.find((entry: Json) => entry.target === url)?.state
      })
      .toBe('cancelled')
    await close()
  })
})

describe('the bridge', () => {
  it('reports an invalid key or URL', async () => {
    await expect(connect('legacy', { WINNOW_API_KEY: 'fc-wrong' })).rejects.toThrow('UNAUTHORIZED')
    const nowhere = connect('legacy', { WINNOW_URL: 'http://127.0.0.1:1' })
    await expect(nowhere).rejects.toThrow('WINNOW_URL')
  })

  it('responds to requests that precede the end of its input, and rejects invalid messages', async () => {
    const input = `no json\n${JSON.stringify({ jsonrpc: '2.0', id: 'é', method: 'tools/list' })}\n`
    const { code, out } = await run([winnow, 'mcp'], { input })
    const lines = out
      .trim()
      .split('\n')
      .map((line): Json => JSON.parse(line))
    expect(code).toBe(0)
    expect(lines.find(({ id }) => id === null)?.error.code).toBe(-32_700)
    expect(lines.find(({ id }) => id === 'é')?.result.tools.length).toBeGreaterThan(15)
  })
})

describe('the official inspector', () => {
  const inspector = fileURLToPath(new URL('../../node_modules/.bin/mcp-inspector', import.meta.url))
  const inspect = (...args: string[]) => {
    const server = `${inject('deployment').urls[0]}/mcp`
    const header = ['--header', `Authorization: Bearer ${teamKey()}`]
    return run([inspector, '--cli', server, '--transport', 'http', ...header, ...args])
  }

  it('lists tools and calls a tool', async () => {
    const listed = await inspect('--method', 'tools/list')
    expect([listed.code, listed.err]).toEqual([0, expect.any(String)])
    expect(JSON.parse(listed.out).tools.map(({ name }: Json) => name)).toContain('scrape')
    const page = ['--tool-name', 'scrape', '--tool-arg', `url=${site.url}/pages/9`]
    const called = await inspect('--method', 'tools/call', ...page)
    expect(called.code, called.err).toBe(0)
    expect(JSON.parse(called.out).content[0].text).toContain('This is the text of page 9.')
  })
})
