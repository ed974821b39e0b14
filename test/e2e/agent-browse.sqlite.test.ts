import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { ended, runJob, startJob } from '../extracts.ts'
import { temporaryFolder } from '../service.ts'
import { page, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const routes: Routes = {
  // The names appear only after a click on the button. No URL leads to them.
  '/board': (exchange) =>
    sendHtml(
      exchange,
      page(
        'The board',
        `<p>The names are shown on request.</p><button onclick="this.before(Object.assign(document.createElement('p'),
        { textContent: 'It is led by ' + ['Ada', 'Berg'].join(' ') + '.' }))">Show the names</button>
        <a href="/people" target="_blank">People</a>`,
      ),
    ),
  '/people': (exchange) => sendHtml(exchange, page('People', '<p>It is led by Ada Berg.</p>')),
}
const folder = temporaryFolder()
let site: Site
let own: OwnService

const schema = { type: 'object', properties: { director: { type: 'string' } } }
const toolCall = (name: string, args: object) => ({ calls: [{ name, arguments: args }] })
const reference = (kind: string, name: string) => `{{${kind} "${name}" \\[ref=(e\\d+)\\]}}`

/**
 * Returns the scripted replies of the model. The first prompt selects the script: the task, the browser task or a page.
 */
function scripts(url: string) {
  const scriptFor = (prompt: string, turns: object[]) => ({ when: prompt, turns })
  const board = `${url}/board`
  const done = toolCall('done', { sources: [] })
  return [
    scriptFor('The task: Who is on the board', [
      toolCall('browse', { url: board, task: 'Show the names of the board' }),
      done,
    ]),
    scriptFor('The task: Who works there', [
      toolCall('browse', { url: board, task: 'Open the people in a tab' }),
      toolCall('browse', { url: board, task: '' }),
      toolCall('browse', { url: 'nowhere', task: 'Anything' }),
      done,
    ]),
    scriptFor('The task: Who is out of reach', [
      toolCall('browse', { url: `${url}/people`, task: 'Anything' }),
      done,
    ]),
    scriptFor('The task: Who is behind a broken button', [
      toolCall('browse', { url: board, task: 'Press what is not there' }),
      done,
    ]),
    scriptFor('Show the names of the board', [
      toolCall('click', { ref: reference('button', 'Show the names') }),
      toolCall('done', { answer: 'It is led by Eve Fox.' }),
    ]),
    scriptFor('Open the people in a tab', [
      toolCall('click', { ref: reference('link', 'People') }),
      toolCall('done', { answer: 'Opened.' }),
    ]),
    scriptFor('Press what is not there', [toolCall('click', { ref: 'e999' })]),
    scriptFor('led by Ada Berg', [{ value: { director: { value: 'Ada Berg', quote: 'led by Ada Berg' } } }]),
    { turns: [{ value: { director: null } }] },
  ]
}

beforeAll(async () => {
  site = await startSite({ routes })
  const script = join(folder.path, 'script.json')
  writeFileSync(script, JSON.stringify(scripts(site.url)))
  own = await startOwnService({ MODEL_URL: `script:${script}`, TEAM_CREDITS: '100000' })
})
afterAll(async () => {
  await own.remove()
  await site.stop()
  folder.remove()
})

const run = (prompt: string, more: object = {}) =>
  runJob('/v2/agent', { prompt, schema, urls: [`${site.url}/board`], ...more }, own)

describe('an agent in a browser', () => {
  it('acts on a page, and reads its content afterwards', async () => {
    const request = { prompt: 'Who is on the board', schema, urls: [`${site.url}/board`] }
    const { id } = await startJob('/v2/agent', request, own)
    const answer = await ended(`/v2/agent/${id}`, own)
    // The statement of the model about the page is not used. The board alone has no value, and costs 1 credit.
    expect(answer).toMatchObject({ status: 'completed', data: { director: 'Ada Berg' }, creditsUsed: 11 })
    expect(answer.sources.director).toEqual([`${site.url}/board`])
    const { events } = (await own.call('GET', `/v2/agent/${id}/trace`)).body
    const browseEvents = events.filter((event: Json) => event.toolName === 'browse')
    expect(browseEvents).toMatchObject([
      { type: 'tool_call.started', parameters: { task: 'Show the names of the board' } },
      { type: 'tool_call.finished', result: [{ url: `${site.url}/board`, state: 'completed' }] },
    ])
  })

  it('reads the page that a click opens, even in a new tab', async () => {
    const answer = await run('Who works there')
    expect(answer.data).toEqual({ director: 'Ada Berg' })
    expect(answer.sources.director).toEqual([`${site.url}/people`])
  })

  it('returns nothing from pages that strictConstrainToURLs excludes', async () => {
    const navigated = await run('Who works there', { strictConstrainToURLs: true })
    expect(navigated).toMatchObject({ status: 'completed', data: {} })
    expect(navigated.warning).toContain('not among the given ones')
    const hitsBefore = site.hits('/people')
    const excluded = await run('Who is out of reach', { strictConstrainToURLs: true })
    expect(excluded).toMatchObject({ status: 'completed', data: {} })
    expect(site.hits('/people')).toBe(hitsBefore)
  })

  it('opens no browser if the budget does not allow it', async () => {
    const answer = await run('Who is on the board', { maxCredits: 10 })
    expect(answer).toMatchObject({ status: 'completed', stopReason: 'credit_limit_reached', data: {} })
  })

  it('completes the run if the browser task failed', async () => {
    const answer = await run('Who is behind a broken button')
    expect(answer).toMatchObject({ status: 'completed', data: {} })
  })
})
