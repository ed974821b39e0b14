import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Site, startSite } from '../../../test/site/site.ts'
import { AppError } from '../../platform/errors.ts'
import { type Scripts, scriptedModel } from '../../platform/language-model/scripted.ts'
import { silentLog } from '../../platform/log.ts'
import type { TokenMeter } from '../../platform/ports/language-model.ts'
import { runAgent } from './agent.ts'

const path =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium'].find((found) =>
    existsSync(found),
  )

type Turns = Scripts[number]['turns']

const calls = (name: string, args: object = {}) => ({ calls: [{ name, arguments: { ...args } }] })
/** Returns a placeholder for the ref of the element that matches a pattern in the latest outline. */
const refOf = (pattern: string) => `{{${pattern}.*?\\[ref=(\\w+)\\]}}`
const done = (answer: string) => calls('done', { answer })

describe.skipIf(path === undefined)('runAgent', () => {
  let browser: Browser
  let site: Site
  let context: BrowserContext
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: path ?? '', chromiumSandbox: process.getuid?.() !== 0 })
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    site = await startSite()
    context = await browser.newContext()
    return async () => {
      await context.close()
      await site.stop()
    }
  })

  const runTask = async (
    path: string,
    turns: Turns,
    options: { prompt?: string; timeoutMs?: number } = {},
  ) => {
    const page = await context.newPage()
    await page.goto(`${site.url}${path}`)
    const request = { prompt: 'Do it.', timeoutMs: 60_000, ...options }
    const deps = { model: scriptedModel([{ turns }]), page, log: silentLog }
    return runAgent(deps, request, AbortSignal.timeout(60_000))
  }

  it('fills in a form and returns the confirmation', async () => {
    const outcome = await runTask('/task/form', [
      calls('fill', { ref: refOf('textbox "Name"'), text: 'Ada' }),
      calls('select', { ref: refOf('combobox "Size"'), options: ['large'] }),
      calls('click', { ref: refOf('checkbox "Gift"') }),
      calls('click', { ref: refOf('button "Order"') }),
      done('{{Order \\d+ for .*?\\.}}'),
    ])
    expect(outcome).toMatchObject({ output: 'Order 4711 for Ada, size large, gift: yes.', steps: 4 })
    expect(outcome.result).toContain('Thank you')
    expect(outcome.stdout.split('\n')).toEqual([
      expect.stringMatching(/^1\. fill textbox "Name" \(e\d+\) with "Ada"$/),
      expect.stringMatching(/^2\. select combobox "Size"/),
      expect.stringMatching(/^3\. click checkbox "Gift"/),
      expect.stringMatching(/^4\. click button "Order"/),
    ])
  })

  it('submits a field with Enter', async () => {
    const outcome = await runTask('/task/form', [
      calls('fill', { ref: refOf('textbox "Name"'), text: 'Ada', submit: true }),
      done('{{Order \\d+ for .*?\\.}}'),
    ])
    expect(outcome.output).toBe('Order 4711 for Ada, size small, gift: no.')
  })

  it('follows a link into a new tab and ends there', async () => {
    const outcome = await runTask('/task/tabs', [
      calls('click', { ref: refOf('link "Leaflet"') }),
      done('{{The ferry leaves at [\\d:]+}}'),
    ])
    expect(outcome.output).toBe('The ferry leaves at 07:45')
    expect(outcome.page.url()).toBe(`${site.url}/task/tabs/leaflet`)
  })

  it('returns to the first tab if a tab closes itself', async () => {
    const outcome = await runTask('/task/brief', [
      calls('click', { ref: refOf('button "Open"') }),
      calls('wait', { seconds: 1 }),
      done('{{A tab was closed}}: {{Title: (\\w+)}}'),
    ])
    expect(outcome.output).toBe('A tab was closed: Brief')
  })

  it('throws BROWSER_FAILED if the page is closed', async () => {
    const page = await context.newPage()
    const model = scriptedModel([{ turns: [calls('snapshot'), done('x')] }])
    await page.close()
    const running = runAgent(
      { model, page, log: silentLog },
      { prompt: 'x', timeoutMs: 20_000 },
      AbortSignal.any([]),
    )
    await expect(running).rejects.toMatchObject({ code: 'BROWSER_FAILED' })
  })

  it('allows the same step on different pages', async () => {
    const next = calls('click', { ref: refOf('link "Next"') })
    const outcome = await runTask('/task/list/1', [next, next, next, done('{{The last boat is the (\\w+)}}')])
    expect(outcome).toMatchObject({ output: 'Heron', steps: 3 })
  })

  it('keeps earlier pages in the transcript', async () => {
    const next = calls('click', { ref: refOf('link "Next"') })
    const outcome = await runTask('/task/list/1', [
      next,
      next,
      next,
      done('{{number 1}}, {{number 2}}, {{number 3}}'),
    ])
    expect(outcome.output).toBe('number 1, number 2, number 3')
  })

  it('opens URLs of the same site, goes back, reads, scrolls, waits and presses keys', async () => {
    const outcome = await runTask('/task/list/1', [
      calls('navigate', { url: '/task/list/4' }),
      calls('back'),
      calls('navigate', { url: `${site.url}/task/list/4` }),
      calls('scroll', {}),
      calls('press', { key: 'Tab' }),
      calls('wait', { text: 'Boat number 4' }),
      calls('read', { ref: refOf('- main') }),
      done('{{The last boat is the (\\w+)}}'),
    ])
    expect(outcome).toMatchObject({ output: 'Heron', steps: 7 })
    expect(outcome.stdout).not.toMatch(/refused|did not work/)
  })

  it('declines a confirm dialog unless acceptDialog is true', async () => {
    const cancel = refOf('button "Cancel"')
    const outcome = await runTask('/task/question', [
      calls('click', { ref: cancel }),
      calls('click', { ref: cancel, acceptDialog: true }),
      done('{{Cancel the booking\\?.*accepted}} / {{Booking \\w+}}'),
    ])
    expect(outcome.output).toContain('Booking cancelled')
  })

  it('shows a long page in parts', async () => {
    const outcome = await runTask('/task/long', [
      calls('snapshot', { part: 3 }),
      done('{{part (\\d) of}} {{Row 2999 of the long list|Row 18\\d\\d of the long list}}'),
    ])
    expect(outcome.output).toMatch(/^3 Row/)
  })

  it('skips the second call if the first one changed the page', async () => {
    const both = [
      { name: 'click', arguments: { ref: refOf('link "Next"') } },
      { name: 'click', arguments: { ref: refOf('link "Next"') } },
    ]
    const outcome = await runTask('/task/list/1', [
      { calls: both },
      done('{{the page has changed}}, {{Boats \\d}}'),
    ])
    expect(outcome).toMatchObject({ output: 'the page has changed, Boats 2', steps: 1 })
  })

  it('reports failed calls to the model', async () => {
    const outcome = await runTask('/task/still', [
      calls('click', { ref: 'e999' }),
      calls('fill', { ref: refOf('button "Nothing"'), text: 'x' }),
      done('{{There is no element e999}} / {{It did not work}}'),
    ])
    expect(outcome.output).toBe('There is no element e999 / It did not work')
  })

  it('warns the model about repeated steps, then stops with an answer', async () => {
    const press = calls('click', { ref: refOf('button "Nothing"') })
    const outcome = await runTask('/task/still', [
      press,
      press,
      press,
      press,
      done('{{you did exactly this twice}}'),
    ])
    expect(outcome).toMatchObject({ steps: 4, output: 'you did exactly this twice' })
    expect(outcome.stopped).toContain('again and again')
    expect(outcome.stdout).toContain('stopped:')
  })

  it('stops after 25 steps with an answer', async () => {
    const turns = Array.from({ length: 25 }, (_, index) => calls('navigate', { url: `/task/list/${index}` }))
    const outcome = await runTask('/task/list/1', [...turns, done('Twenty-five boats.')])
    expect(outcome).toMatchObject({ steps: 25, output: 'Twenty-five boats.', stopped: '25 steps were done' })
  })

  it('stops a model that always calls done twice in one turn', async () => {
    const twoAnswers = { calls: [...done('One.').calls, ...done('Two.').calls] }
    const outcome = await runTask('/task/still', [
      ...Array.from({ length: 25 }, () => twoAnswers),
      done('Three.'),
    ])
    expect(outcome).toMatchObject({ steps: 0, output: 'Three.', stopped: '25 steps were done' })
  })

  it('requests a final answer when the time is up', async () => {
    const outcome = await runTask(
      '/task/list/1',
      [calls('read'), calls('wait', { seconds: 10 }), done('One boat.')],
      {
        timeoutMs: 8000,
      },
    )
    expect(outcome).toMatchObject({ output: 'One boat.', stopped: 'the time was up' })
  })

  it('throws INTERACT_TIMEOUT with the steps if the model does not respond', async () => {
    const pending = runTask('/task/list/1', [calls('read'), { isSilent: true }], { timeoutMs: 4000 })
    await expect(pending).rejects.toMatchObject({
      code: 'INTERACT_TIMEOUT',
      detail: { phase: 'last answer', steps: 1, stdout: expect.stringContaining('1. read') },
    })
  })

  it('throws MODEL_FAILED if the first call of the model fails, and INTERACT_FAILED after steps', async () => {
    await expect(runTask('/task/still', [{ fails: 'busy' }])).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    await expect(runTask('/task/still', [calls('read'), { fails: 'busy' }])).rejects.toMatchObject({
      code: 'INTERACT_FAILED',
      detail: { reason: 'busy', hint: expect.any(String), steps: 1 },
    })
  })

  it('counts the calls of a meter, and throws INTERACT_FAILED with the steps when the budget is spent', async () => {
    const page = await context.newPage()
    await page.goto(`${site.url}/task/still`)
    let begun = 0
    const meter: TokenMeter = {
      async sendCounted(_estimate, _signal, send) {
        begun += 1
        if (begun > 2) throw new AppError('MODEL_BUDGET_SPENT', { reason: 'all is used' })
        return send()
      },
    }
    const model = scriptedModel([{ turns: [calls('read'), calls('wait', { seconds: 1 })] }]).metered(meter)
    const options = { prompt: 'Do it.', timeoutMs: 60_000 }
    const running = runAgent({ model, page, log: silentLog }, options, AbortSignal.timeout(60_000))
    await expect(running).rejects.toMatchObject({
      code: 'INTERACT_FAILED',
      detail: { reason: 'all is used', steps: 2 },
    })
    const retry = runAgent({ model, page, log: silentLog }, options, AbortSignal.timeout(60_000))
    await expect(retry).rejects.toMatchObject({ code: 'MODEL_BUDGET_SPENT', detail: { steps: 0 } })
  })

  it('ends when its caller aborts', async () => {
    const page = await context.newPage()
    await page.goto(`${site.url}/task/still`)
    const abortController = new AbortController()
    const deps = { model: scriptedModel([{ turns: [{ isSilent: true }] }]), page, log: silentLog }
    const running = runAgent(deps, { prompt: 'Wait.', timeoutMs: 60_000 }, abortController.signal)
    abortController.abort(new Error('the caller has gone'))
    await expect(running).rejects.toThrow('the caller has gone')
  })

  it('continues after a call with malformed arguments', async () => {
    const bad = { calls: [{ name: 'shell', arguments: '{"command": "ls' }] }
    const outcome = await runTask('/task/list/4', [
      [bad, calls('read')],
      done('{{The last boat is the (\\w+)}}'),
    ])
    expect(outcome).toMatchObject({ output: 'Heron', steps: 1 })
  })
})
