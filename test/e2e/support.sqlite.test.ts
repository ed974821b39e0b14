import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { call, createTeam, type Json, type OwnService, scrape, startOwnService, teamKey } from '../api.ts'
import { temporaryFolder } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const story = 'The harbour master counts the boats every morning before the tide turns. '.repeat(12)
let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/late': (exchange) =>
        sendHtml(
          exchange,
          `<!doctype html><title>Harbour</title><h1>Harbour</h1><p>Please wait.</p><script>setTimeout(() => { document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(`<p>${story}</p>`)}) }, 8500)</script>`,
        ),
      '/closed': (exchange) =>
        sendHtml(
          exchange,
          `<!doctype html><title>Harbour</title><h1>Harbour</h1><p>Stories of the sea.</p><button id="open" onclick="document.body.insertAdjacentHTML('beforeend', '<p>${story}</p>')">Read</button>`,
        ),
      '/excluded': (exchange) =>
        sendHtml(exchange, page('Harbour', `<p>Short.</p><div class="story"><p>${story}</p></div>`)),
    },
  })
})
afterAll(() => site.stop())

const ask = async (body: object) => (await call('POST', '/v2/support/ask', { body })).body as Json

// Most of these tests wait for pages that load content late.
describe.concurrent('the support agent', () => {
  it('finds the selector that removes the content, and verifies that the page is complete without it', async ({
    expect,
  }) => {
    const { body } = await scrape({ url: `${site.url}/excluded`, excludeTags: ['.story'], maxAge: 0 })
    expect(body.data.markdown).not.toContain('harbour master')
    const jobId = body.data.metadata.scrapeId
    const answer = await ask({ question: 'Most of the page is missing. Why?', jobId })
    expect(answer).toMatchObject({
      ...{
        cause: 'excluded-content',
        confidence: 'high',
        fixParameters: { excludeTags: [] },
        feedback: null,
      },
      validation: { tested: true, result: 'success' },
      ...{ jobId, requestId: expect.stringMatching(/^req_\w+$/), durationMs: expect.any(Number) },
    })
    expect(answer.answer).toContain('.story')
  })

  it('waits longer for content that loads late', { timeout: 90_000 }, async ({ expect }) => {
    const { body } = await scrape({ url: `${site.url}/late`, maxAge: 0 })
    expect(body.data.markdown).not.toContain('harbour master')
    const answer = await ask({
      question: 'The text about the harbour master is not in the result.',
      jobId: body.data.metadata.scrapeId,
    })
    expect(answer).toMatchObject({ cause: 'late-content', validation: { tested: true, result: 'success' } })
    const again = await scrape({ url: `${site.url}/late`, maxAge: 0, ...answer.fixParameters })
    expect(again.body.data.markdown).toContain('harbour master')
  })

  it('finds the failed call for a question without an id', async ({ expect }) => {
    await scrape({ url: 'http://no-such-harbour.invalid/', maxAge: 0 })
    const answer = await ask({ question: 'Why does my scrape of http://no-such-harbour.invalid/ fail?' })
    expect(answer).toMatchObject({
      cause: 'dns-error',
      confidence: 'high',
      fixParameters: null,
      feedback: null,
    })
  })

  it('answers from the documentation if no call failed', async ({ expect }) => {
    const answer = await ask({ question: 'How do I verify the signature of webhook deliveries?' })
    expect(answer).toMatchObject({ feedback: null, jobId: null })
    expect(answer.answer).toMatch(/docs\/[\w-]+\.md|WEBHOOK_SECRET/)
  })

  it('reports that it found no cause, and what it attempted', async ({ expect }) => {
    const answer = await ask({ question: 'It is purple.' })
    expect(answer).toMatchObject({
      ...{ cause: null, confidence: 'low', fixParameters: null, validation: null },
      feedback: { blockedBy: expect.any(String), attempted: [] },
    })
  })

  it('returns 400 for an invalid question, and 401 without a key', async ({ expect }) => {
    expect((await call('POST', '/v2/support/ask', { body: {} })).status).toBe(400)
    expect((await call('POST', '/v2/support/ask', { body: { question: '' } })).status).toBe(400)
    expect((await call('POST', '/v2/support/ask', { body: '{"question":' })).status).toBe(400)
    expect((await call('POST', '/v2/support/ask', { body: { question: 'x' }, key: null })).status).toBe(401)
  })

  it('cannot read the jobs of another team', async ({ expect }) => {
    const { body } = await scrape({ url: `${site.url}/excluded`, excludeTags: ['.story'], maxAge: 0 })
    const key = Object.values(inject('deployment').keys).find((other) => other !== teamKey()) ?? ''
    const question = { question: 'Most of the page is missing.', jobId: body.data.metadata.scrapeId }
    const answer = (await call('POST', '/v2/support/ask', { body: question, key })).body
    expect(answer).toMatchObject({ jobId: null, cause: null, confidence: 'low' })
    expect(answer.answer).toContain(`no job "${question.jobId}"`)
    expect(JSON.stringify(answer)).not.toContain('.story')
  })

  it('charges nothing', async ({ expect }) => {
    const team = await createTeam({ credits: 10 })
    const { body } = await team.call('POST', '/v2/scrape', {
      body: { url: `${site.url}/excluded`, excludeTags: ['.story'], maxAge: 0 },
    })
    const question = { question: 'Most is missing.', jobId: body.data.metadata.scrapeId }
    await team.call('POST', '/v2/support/ask', { body: question })
    const { body: usage } = await team.call('GET', '/v2/team/credit-usage')
    expect(usage.data.remainingCredits).toBe(9)
  })

  it('returns 504 with a partial answer at its time limit', { timeout: 60_000 }, async ({ expect }) => {
    const own = await startOwnService({ SUPPORT_SECONDS: '3' })
    try {
      const { body } = await own.call('POST', '/v2/scrape', { body: { url: `${site.url}/late`, maxAge: 0 } })
      const question = { question: 'The text is missing.', jobId: body.data.metadata.scrapeId }
      const answer = await own.call('POST', '/v2/support/ask', { body: question })
      expect(answer.status).toBe(504)
      expect(answer.body).toMatchObject({
        ...{ success: false, code: 'SUPPORT_BUDGET_REACHED', confidence: 'low', cause: 'late-content' },
        answer: expect.stringContaining('loading'),
      })
    } finally {
      await own.remove()
    }
  })

  describe('with a language model', () => {
    const folder = temporaryFolder()
    const toolCall = (name: string, args: object) => ({ calls: [{ name, arguments: args }] })
    const explanation = 'The story stands in a part that a reader has to open.'
    const script = [
      {
        when: 'of the lighthouse',
        turns: [
          toolCall('read_job', {}),
          toolCall('try_options', { options: { actions: [{ type: 'click', selector: '#open' }] } }),
          toolCall('answer', { answer: explanation, cause: 'late-content' }),
        ],
      },
      // This reply recommends an untested fix, which the service must not pass on.
      { when: 'of the invented', turns: [toolCall('answer', { answer: explanation, cause: null })] },
      { when: 'of the silent', turns: [{ fails: 'no answer' }] },
    ]
    let own: OwnService
    beforeAll(async () => {
      const file = join(folder.path, 'script.json')
      writeFileSync(file, JSON.stringify(script))
      own = await startOwnService({ MODEL_URL: `script:${file}` })
    })
    afterAll(async () => {
      await own.remove()
      folder.remove()
    })

    const askAbout = async (topic: string) => {
      const { body } = await own.call('POST', '/v2/scrape', {
        body: { url: `${site.url}/closed`, maxAge: 0 },
      })
      const question = {
        question: `The story ${topic} is missing.`,
        jobId: body.data.metadata.scrapeId,
        allowActions: true,
      }
      return (await own.call('POST', '/v2/support/ask', { body: question })).body as Json
    }

    it('continues if rules find no cause, and returns the options that it tested with success', {
      timeout: 90_000,
    }, async ({ expect }) => {
      expect(await askAbout('of the lighthouse')).toMatchObject({
        ...{ answer: explanation, cause: 'late-content', confidence: 'high', feedback: null },
        fixParameters: { actions: [{ type: 'click', selector: '#open' }] },
        validation: { tested: true, result: 'success' },
      })
    })

    it('returns no untested fix, and falls back to rules', { timeout: 120_000 }, async ({ expect }) => {
      const [invented, failed] = await Promise.all([askAbout('of the invented'), askAbout('of the silent')])
      expect(invented).toMatchObject({ fixParameters: null, confidence: 'low' })
      expect(invented.feedback.attempted.length).toBeGreaterThan(0)
      expect(failed).toMatchObject({ fixParameters: null, validation: { result: 'failure' } })
    })
  })
})
