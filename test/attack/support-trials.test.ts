import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAt, type Json, type OwnService, startOwnService } from '../api.ts'
import { temporaryFolder } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { attackClass } from './attack.ts'

/** Questions to the support agent about jobs with side effects. A trial must not repeat any of them. */
const story = 'The harbour master counts the boats every morning before the tide turns. '.repeat(12)
const hidden = `<p>Short.</p><div class="story"><p>${story}</p></div>`
const folder = temporaryFolder()
let site: Site
let own: OwnService
let visits = 0
const nextVisit = () => {
  visits += 1
  return visits
}

const tries = (options: object) => ({ calls: [{ name: 'try_options', arguments: { options } }] })
/** Options with which a model tries to exceed a read-only request. */
const forbiddenOptions = (): [string, object][] => [
  ['another URL', { url: `${site.url}/stolen` }],
  ['headers', { headers: { 'x-stolen': '1' } }],
  ['a script', { actions: [{ type: 'executeJavascript', script: `fetch('/stolen')` }] }],
  ['typed text', { actions: [{ type: 'write', text: 'stolen' }] }],
  ['a click', { actions: [{ type: 'click', selector: 'a' }] }],
  ['change tracking', { formats: ['markdown', 'changeTracking'] }],
  ['another profile', { profile: { name: 'other' } }],
  ['the cache', { storeInCache: true }],
  ['a webhook', { webhook: { url: `${site.url}/stolen` } }],
]

beforeAll(async () => {
  site = await startSite({
    routes: {
      '/form': (exchange) =>
        sendHtml(
          exchange,
          page('Form', `<form method="post" action="/sent"><button id="send">Send</button></form>`),
        ),
      '/sent': (exchange) => sendHtml(exchange, page('Sent', hidden)),
      '/tracked': (exchange) =>
        sendHtml(exchange, page('Tracked', `<p>Visit number ${nextVisit()}.</p>${hidden}`)),
      '/visited': (exchange) => {
        exchange.response.setHeader('set-cookie', `visit=${nextVisit()}; Max-Age=9999`)
        sendHtml(exchange, page('Visited', hidden))
      },
      '/plain': (exchange) => sendHtml(exchange, page('Plain', hidden)),
      '/bold': (exchange) => sendHtml(exchange, page('Bold', '<p>Short.</p><a href="/stolen">On</a>')),
    },
  })
  const script = forbiddenOptions().map(([name, options]) => ({
    when: `about ${name}`,
    turns: [
      tries(options),
      { calls: [{ name: 'answer', arguments: { answer: 'Nothing helps.', cause: null } }] },
    ],
  }))
  const file = join(folder.path, 'script.json')
  writeFileSync(file, JSON.stringify(script))
  own = await startOwnService({ MODEL_URL: `script:${file}`, SUPPORT_TRIALS_PER_DAY: '9' })
})
afterAll(async () => {
  await own.remove()
  folder.remove()
  await site.stop()
})

/** Creates a separate team, so that no test uses the trials of another test. */
async function newTeam(credits?: number) {
  const body = { name: `team ${Math.random()}`, ...(credits === undefined ? {} : { credits }) }
  const team = (await own.call('POST', '/v2/operator/teams', { body })).body.data
  const { key } = (await own.call('POST', '/v2/operator/keys', { body: { teamId: team.id } })).body
  const call = async (path: string, sent: object) => {
    const response = await callAt(own.url, 'POST', path, { key, body: sent })
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    return response.body as Json
  }
  return {
    scrape: async (request: object) => (await call('/v2/scrape', { maxAge: 0, ...request })).data as Json,
    ask: (jobId: string, more: object = {}) =>
      call('/v2/support/ask', { question: 'Most of the page is missing. Why?', jobId, ...more }),
  }
}

describe('a trial of the support agent', () => {
  it('does not submit a form again, unless the caller allows actions', async () => {
    const team = await newTeam()
    const { metadata } = await team.scrape({
      ...{ url: `${site.url}/form`, excludeTags: ['.story'] },
      actions: [
        { type: 'click', selector: '#send' },
        { type: 'wait', milliseconds: 300 },
      ],
    })
    const answer = await team.ask(metadata.scrapeId)
    expect(site.hits('/sent')).toBe(1)
    expect(answer.validation).toMatchObject({ tested: false, result: 'skipped' })
    expect(answer.validation.evidence).toMatch(/click.*allowActions/)
    const allowed = await team.ask(metadata.scrapeId, { allowActions: true })
    expect(site.hits('/sent')).toBeGreaterThan(1)
    expect(allowed.validation).toMatchObject({
      tested: true,
      evidence: expect.stringContaining('actions click'),
    })
  }, 120_000)

  it('leaves the tracked version of a page unchanged', async () => {
    const team = await newTeam()
    const tracking = { type: 'changeTracking', modes: ['git-diff'] }
    const request = { url: `${site.url}/tracked`, formats: ['markdown', tracking], excludeTags: ['.story'] }
    const first = await team.scrape(request)
    const seen = visits
    const answer = await team.ask(first.metadata.scrapeId)
    expect(answer.validation).toMatchObject({ tested: true, result: 'success' })
    expect(visits).toBeGreaterThan(seen)
    const { changeTracking } = await team.scrape(request)
    expect(changeTracking.diff).toContain(`-Visit number ${seen}.`)
  }, 120_000)

  it('does not save the profile of the job', async () => {
    const team = await newTeam()
    const request = { url: `${site.url}/visited`, excludeTags: ['.story'] }
    const { metadata } = await team.scrape({ ...request, profile: { name: 'mine' } })
    const saved = `visit=${visits}`
    const answer = await team.ask(metadata.scrapeId)
    expect(answer.validation).toMatchObject({ tested: true })
    const before = site.requests.length
    await team.scrape({ ...request, profile: { name: 'mine', saveChanges: false } })
    const sent = site.requests.slice(before).find(({ path }) => path === '/visited')
    expect(sent?.headers.cookie).toBe(saved)
  }, 120_000)

  it('fetches nothing for a team without credits', async () => {
    const team = await newTeam(1)
    const { metadata } = await team.scrape({ url: `${site.url}/plain?poor`, excludeTags: ['.story'] })
    const before = site.hits('/plain?poor')
    const answer = await team.ask(metadata.scrapeId)
    expect(site.hits('/plain?poor')).toBe(before)
    expect(answer.validation).toMatchObject({
      ...{ tested: false, result: 'skipped', evidence: expect.stringContaining('balance') },
    })
  })

  it('is not run after the trials of the day are used up', async () => {
    const team = await newTeam()
    const { metadata } = await team.scrape({ url: `${site.url}/plain?often`, excludeTags: ['.story'] })
    let answer: Json
    for (let round = 0; round < 10; round += 1) answer = await team.ask(metadata.scrapeId)
    expect(site.hits('/plain?often')).toBe(10)
    expect(answer.validation).toMatchObject({
      ...{ result: 'skipped', evidence: expect.stringContaining('SUPPORT_TRIALS_PER_DAY') },
    })
  }, 120_000)

  attackClass({
    name: 'support: options of a model that would do more than read',
    vectors: [0, 1, 2, 3, 4, 5, 6, 7, 8],
    short: 4,
    concurrency: 2,
    run: async (index) => {
      const [name = '', options = {}] = forbiddenOptions()[index] ?? []
      const team = await newTeam()
      const { metadata } = await team.scrape({ url: `${site.url}/bold`, fastMode: true })
      const answer = await team.ask(metadata.scrapeId, { question: `It is purple, about ${name}.` })
      if (site.hits('/stolen') > 0) return 'the page behind it was asked for'
      if (site.requests.some(({ headers }) => 'x-stolen' in headers)) return 'the header was sent'
      const answerText = JSON.stringify(answer)
      if (!answerText.includes('Nothing helps.')) return `the model was not asked: ${answerText}`
      return answerText.includes(`${Object.keys(options)[0]}`) && /not tried/.test(answerText)
        ? undefined
        : answerText
    },
  })
})
