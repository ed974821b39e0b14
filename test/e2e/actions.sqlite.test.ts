import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, scrape } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const act = async (actions: object[], options: object = {}): Promise<Json> =>
  (await scrape({ url: `${site.url}/app/actions`, onlyMainContent: false, actions, ...options })).body

describe.concurrent('actions', () => {
  it('clicks, writes and presses in order', async () => {
    const { data } = await act([
      { type: 'click', selector: '#add' },
      { type: 'click', selector: '.each', all: true },
      { type: 'click', selector: '#name' },
      { type: 'write', text: 'Ada' },
      { type: 'press', key: 'Enter' },
    ])
    const lines = ['added', 'each A', 'each B', 'hello Ada']
    const offsets = lines.map((line) => data.markdown.indexOf(line))
    expect(offsets).toEqual(offsets.toSorted((left: number, right: number) => left - right))
    expect(offsets[0]).toBeGreaterThan(0)
    expect(data.actions).toEqual({ screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] })
  })

  it('waits for a time and for an element', async () => {
    const { data } = await act([
      { type: 'wait', milliseconds: 50 },
      { type: 'wait', selector: '#late' },
    ])
    expect(data.markdown).toContain('late element')
  })

  it('scrolls the page and an element', async () => {
    const { data } = await act([
      { type: 'scroll', direction: 'down' },
      { type: 'scroll', selector: '#box' },
      { type: 'executeJavascript', script: '[scrollY > 0, document.getElementById("box").scrollTop]' },
      { type: 'scroll', direction: 'up' },
      { type: 'executeJavascript', script: 'scrollY' },
    ])
    expect(data.actions.javascriptReturns).toEqual([
      { type: 'object', value: [true, 100] },
      { type: 'number', value: 0 },
    ])
  })

  it('returns the result of scripts, by expression, return and await', async () => {
    const { data } = await act([
      { type: 'executeJavascript', script: 'document.title' },
      { type: 'executeJavascript', script: 'return 1 + 1' },
      { type: 'executeJavascript', script: 'const answer = await Promise.resolve(42); return answer' },
      { type: 'executeJavascript', script: 'undefined' },
    ])
    expect(data.actions.javascriptReturns).toEqual([
      { type: 'string', value: 'Actions' },
      { type: 'number', value: 2 },
      { type: 'number', value: 42 },
      { type: 'undefined', value: null },
    ])
  })

  it('returns any value of a script', async () => {
    const scripts = [
      'const around = { name: "a" }; around.self = around; around',
      '123456789012345678901234567890n',
      '({ big: 5n, call: () => 1, none: NaN, map: new Map([["a", 1]]), when: new Date(0) })',
      'document.querySelector',
      'document.getElementById("add")',
      'document.querySelectorAll(".each")',
      'window',
      '() => 42',
      'Symbol("mark")',
      'new Error("kept")',
    ]
    const actions = scripts.map((script) => ({ type: 'executeJavascript', script }))
    const { data, error } = await act(actions)
    expect(error).toBeUndefined()
    expect(data.actions.javascriptReturns).toEqual([
      { type: 'object', value: { name: 'a', self: '[circular]' } },
      { type: 'bigint', value: '123456789012345678901234567890' },
      {
        type: 'object',
        value: {
          big: '5',
          call: '[function call]',
          none: 'NaN',
          map: [['a', 1]],
          when: '1970-01-01T00:00:00.000Z',
        },
      },
      { type: 'function', value: expect.stringContaining('function querySelector') },
      { type: 'object', value: expect.stringMatching(/^<button[^>]*id="add"/) },
      { type: 'object', value: [expect.stringContaining('each'), expect.stringContaining('each')] },
      { type: 'object', value: '[Window]' },
      { type: 'number', value: 42 },
      { type: 'symbol', value: 'Symbol(mark)' },
      { type: 'object', value: 'Error: kept' },
    ])
  })

  it('wait for promises in scripts, and return the last value', async () => {
    const scripts = [
      'await Promise.resolve(1)',
      'const answer = await fetch("/pages/1"); answer.status',
      'let sum = 0\nfor (const part of [1, 2]) {\n  sum += await Promise.resolve(part)\n}\nsum\n  + 1',
      'globalThis.kept = await Promise.resolve("kept"); undefined',
      'kept',
      'function named() { return "by name" }',
      'named()',
      'if (await true) return "early"; "late"',
      'const commented = await Promise.resolve("said"); commented // one; two',
    ]
    const actions = scripts.map((script) => ({ type: 'executeJavascript', script }))
    const { data, error } = await act(actions)
    expect(error).toBeUndefined()
    const values = data.actions.javascriptReturns.map(({ value }: Json) => value)
    expect(values.filter((_: unknown, index: number) => index !== 5)).toEqual([
      ...[1, 200, 4, null, 'kept', 'by name', 'early', 'said'],
    ])
  })

  it('run a script once, even if it throws a SyntaxError', async () => {
    const script = 'globalThis.runs = (globalThis.runs ?? 0) + 1; JSON.parse("{")'
    const { code, details } = await act([{ type: 'executeJavascript', script }])
    expect([code, details.index]).toEqual(['SCRAPE_ACTION_ERROR', 0])
    const guarded = `try { ${script} } catch {}`
    const { data } = await act([guarded, 'runs'].map((each) => ({ type: 'executeJavascript', script: each })))
    expect(data.actions.javascriptReturns[1].value).toBe(1)
  })

  it('takes screenshots, pages and PDFs, in order', async () => {
    const { data } = await act([
      { type: 'screenshot' },
      { type: 'click', selector: '#add' },
      { type: 'scrape' },
      { type: 'screenshot', fullPage: true, quality: 30 },
      { type: 'pdf', format: 'A4', landscape: true },
      { type: 'generatePDF' },
    ])
    expect(data.actions.scrapes).toEqual([
      { url: `${site.url}/app/actions`, html: expect.stringContaining('<li>added</li>') },
    ])
    const types = await Promise.all(
      [...data.actions.screenshots, ...data.actions.pdfs].map(async (url: string) => {
        const response = await fetch(url)
        const start = Buffer.from(await response.arrayBuffer()).subarray(0, 4)
        return [response.headers.get('content-type'), start.toString('latin1')]
      }),
    )
    expect(types.map(([type]) => type)).toEqual([
      'image/png',
      'image/jpeg',
      'application/pdf',
      'application/pdf',
    ])
    expect(types[2]?.[1]).toBe('%PDF')
  })

  it('report the index of the action that failed', async () => {
    // Run concurrently, because each call waits until its timeout. The timeout is long enough for a busy machine.
    const actUntilTimeout = (...actionList: object[]) => act(actionList, { timeout: 12_000 })
    const [failed, hidden, ...missing] = await Promise.all([
      actUntilTimeout({ type: 'wait', milliseconds: 1 }, { type: 'click', selector: '#nothing' }),
      actUntilTimeout(
        { type: 'executeJavascript', script: 'document.getElementById("add").style.display = "none"' },
        { type: 'click', selector: '#add' },
      ),
      actUntilTimeout({ type: 'wait', selector: '#nothing' }),
      actUntilTimeout({ type: 'scroll', selector: '#nothing' }),
    ])
    expect(failed).toMatchObject({
      code: 'SCRAPE_ACTION_ERROR',
      phase: 'actions',
      details: { index: 1, type: 'click', selector: '#nothing', found: { matches: 0, title: 'Actions' } },
    })
    expect(failed.error).toMatch(
      /^Action 1 \(click #nothing\) failed: no element matches; the page "Actions" has/,
    )
    expect(failed.error).toContain('button#add')
    expect(hidden.error).toMatch(
      /^Action 1 \(click #add\) failed: 1 found, but the first of them is not visible/,
    )
    for (const result of missing) {
      expect(result).toMatchObject({ code: 'SCRAPE_ACTION_ERROR', details: { selector: '#nothing' } })
    }
    const broken = await act([{ type: 'executeJavascript', script: 'nonsense(' }])
    expect(broken).toMatchObject({ code: 'SCRAPE_ACTION_ERROR', phase: 'actions', details: { index: 0 } })
  })

  it.each([
    ['an unknown type', [{ type: 'dance' }]],
    ['a wait with neither', [{ type: 'wait' }]],
    ['a wait with both', [{ type: 'wait', milliseconds: 1, selector: 'a' }]],
    ['an unknown field', [{ type: 'click', selector: 'a', twice: true }]],
    ['more than fifty', Array(51).fill({ type: 'scroll' })],
    ['too much waiting', Array(3).fill({ type: 'wait', milliseconds: 25_000 })],
  ])('rejects actions beyond a limit with %s', async (_, actions) => {
    const { status, body } = await scrape({ url: `${site.url}/app/actions`, actions })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' })
  })

  it('are refused if waitFor exceeds half of the timeout', async () => {
    const { status, body } = await scrape({ url: `${site.url}/pages/1`, waitFor: 800, timeout: 1000 })
    expect(status).toBe(400)
    expect(body.details[0].path).toEqual(['waitFor'])
  })

  it.each([
    'file:///etc/passwd',
    'chrome://version',
    'view-source:http://127.0.0.1/',
    'data:text/html,other',
  ])('cannot navigate to %s', async (target) => {
    const { data, code } = await act([
      { type: 'executeJavascript', script: `location.href = ${JSON.stringify(target)}` },
      { type: 'wait', milliseconds: 200 },
      { type: 'scrape' },
    ])
    if (code) expect(code).toBe('SCRAPE_ACTION_ERROR')
    else expect(data.actions.scrapes[0].url).toMatch(/^(http:\/\/127\.0\.0\.1:\d+\/app\/actions|about:blank)/)
    expect(JSON.stringify(data ?? {})).not.toMatch(/root:x:0/)
  })

  it('see all requested languages in navigator.languages, and send them in accept-language', async () => {
    const script = 'navigator.languages.join()'
    const url = `${site.url}/app/actions?languages`
    const location = { country: 'AT', languages: ['de-AT', 'fr', 'it-IT'] }
    const { body } = await scrape({ url, location, actions: [{ type: 'executeJavascript', script }] })
    expect(body.data.actions.javascriptReturns[0].value).toBe('de-AT,fr,it-IT')
    const request = site.requests.find(({ path }) => path === '/app/actions?languages')
    expect(request?.headers['accept-language']).toMatch(/^de-AT,fr;q=0\.\d,it-IT;q=0\.\d$/)
  })
})
