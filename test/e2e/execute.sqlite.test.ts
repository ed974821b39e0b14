import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, call } from '../api.ts'
import { programs } from '../code-session.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let id = ''
beforeAll(async () => {
  site = await startSite()
  const { body } = await call('POST', '/v2/browser', { body: { ttl: 300 } })
  id = body.id
})
afterAll(async () => {
  await call('DELETE', `/v2/browser/${id}`)
  await site.stop()
})

function execute(code: string, language?: 'node' | 'python' | 'bash', timeout = 30): Promise<Answer> {
  const body = { code, timeout, ...(language ? { language } : {}) }
  return call('POST', `/v2/browser/${id}/execute`, { body })
}

describe('execute', () => {
  it('runs Node if no language is given, and returns value and output', async () => {
    const code = `await page.goto('${site.url}/pages/3'); console.log('there'); console.error('careful'); await page.title()`
    const { status, body } = await execute(code)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...{ success: true, stdout: 'there\n', stderr: 'careful\n', exitCode: 0, killed: false },
      result: expect.stringContaining('3'),
    })
  })

  it('keeps variables, files and the page between calls and languages', async () => {
    await execute(
      `const kept = 'kept'; await page.goto('${site.url}/pages/4'); require('fs').writeFileSync('/tmp/note', kept)`,
    )
    const title = (await execute('await page.title()')).body.result
    expect((await execute('kept')).body.result).toBe('kept')
    expect((await execute('cat /tmp/note', 'bash')).body.stdout).toBe('kept')
    if (programs.agentBrowser) {
      expect((await execute('agent-browser get title', 'bash')).body.stdout).toBe(`${title}\n`)
    }
    if (programs.python) expect((await execute('await page.title()', 'python')).body.result).toBe(title)
  })

  it.each([
    ['node', 'throw new Error("no")', 1, /Error: no/],
    ['node', 'process.exit(3)', 3, /exit code 3/],
    ['bash', 'echo wrong >&2; exit 7', 7, /^wrong$/],
  ] as const)('returns status 200 if %s code fails: %s', async (language, code, exitCode, error) => {
    const { status, body } = await execute(code, language)
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, exitCode, killed: false })
    expect(body.error).toMatch(error)
  })

  it('ends code at its timeout, and the session continues', async () => {
    await execute(`await page.goto('${site.url}/pages/5')`)
    const { body } = await execute('console.log("so far"); while (true) {}', 'node', 3)
    expect(body).toMatchObject({ success: true, killed: true, stdout: 'so far\n', error: expect.any(String) })
    expect((await execute('page.url()')).body.result).toBe(`${site.url}/pages/5`)
  })

  it('reports truncated output', async () => {
    const { body } = await execute('head -c 3000000 /dev/zero | tr "\\0" x', 'bash')
    expect({ length: body.stdout.length, truncated: body.truncated }).toEqual({
      length: 1024 * 1024,
      truncated: true,
    })
  })

  it.each([
    ['', 'node', 30],
    ['x'.repeat(100_001), 'node', 30],
    ['1', 'ruby', 30],
    ['1', 'node', 0],
    ['1', 'node', 301],
  ])('rejects an invalid body (%#)', async (code, language, timeout) => {
    const body = { code, language, timeout }
    expect((await call('POST', `/v2/browser/${id}/execute`, { body })).status).toBe(400)
  })
})
