import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { ended, gathered, startGathering } from '../extracts.ts'
import { temporaryFolder } from '../service.ts'
import { page, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const routes: Routes = {
  // No address leads to what its button shows.
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
const calling = (name: string, given: object) => ({ calls: [{ name, arguments: given }] })
const reference = (kind: string, name: string) => `{{${kind} "${name}" \\[ref=(e\\d+)\\]}}`

/** What the model says, by what it is asked first: of the whole, of what is done in the browser, and of a page. */
function scripts(url: string) {
  const of = (when: string, turns: object[]) => ({ when, turns })
  const board = `${url}/board`
  const end = calling('done', { sources: [] })
  return [
    of('The task: Who is on the board', [
      calling('browse', { url: board, task: 'Show the names of the board' }),
      end,
    ]),
    of('The task: Who works there', [
      calling('browse', { url: board, task: 'Open the people in a tab' }),
      calling('browse', { url: board, task: '' }),
      calling('browse', { url: 'nowhere', task: 'Anything' }),
      end,
    ]),
    of('The task: Who is out of reach', [calling('browse', { url: `${url}/people`, task: 'Anything' }), end]),
    of('The task: Who is behind a broken button', [
      calling('browse', { url: board, task: 'Press what is not there' }),
      end,
    ]),
    of('Show the names of the board', [
      calling('click', { ref: reference('button', 'Show the names') }),
      calling('done', { answer: 'It is led by Eve Fox.' }),
    ]),
    of('Open the people in a tab', [
      calling('click', { ref: reference('link', 'People') }),
      calling('done', { answer: 'Opened.' }),
    ]),
    of('Press what is not there', [calling('click', { ref: 'e999' })]),
    of('led by Ada Berg', [{ value: { director: { value: 'Ada Berg', quote: 'led by Ada Berg' } } }]),
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
  gathered('/v2/agent', { prompt, schema, urls: [`${site.url}/board`], ...more }, own)

describe('an agent in a browser', () => {
  it('acts on a page, and reads what it shows then', async () => {
    const request = { prompt: 'Who is on the board', schema, urls: [`${site.url}/board`] }
    const { id } = await startGathering('/v2/agent', request, own)
    const answer = await ended(`/v2/agent/${id}`, own)
    // The words of the model about the page are not used. The board alone states nothing, and costs one.
    expect(answer).toMatchObject({ status: 'completed', data: { director: 'Ada Berg' }, creditsUsed: 11 })
    expect(answer.sources.director).toEqual([`${site.url}/board`])
    const { events } = (await own.call('GET', `/v2/agent/${id}/trace`)).body
    const browsed = events.filter((event: Json) => event.toolName === 'browse')
    expect(browsed).toMatchObject([
      { type: 'tool_call.started', parameters: { task: 'Show the names of the board' } },
      { type: 'tool_call.finished', result: [{ url: `${site.url}/board`, state: 'completed' }] },
    ])
  })

  it('reads the page that it was led to, also by a link that opens a tab', async () => {
    const answer = await run('Who works there')
    expect(answer.data).toEqual({ director: 'Ada Berg' })
    expect(answer.sources.director).toEqual([`${site.url}/people`])
  })

  it('brings nothing from where the caller does not let it read', async () => {
    const led = await run('Who works there', { strictConstrainToURLs: true })
    expect(led).toMatchObject({ status: 'completed', data: {} })
    expect(led.warning).toContain('not among the given ones')
    const before = site.hits('/people')
    const begun = await run('Who is out of reach', { strictConstrainToURLs: true })
    expect(begun).toMatchObject({ status: 'completed', data: {} })
    expect(site.hits('/people')).toBe(before)
  })

  it('opens no browser that the budget does not allow', async () => {
    const answer = await run('Who is on the board', { maxCredits: 10 })
    expect(answer).toMatchObject({ status: 'completed', stopReason: 'credit_limit_reached', data: {} })
  })

  it('goes on where the task did not work', async () => {
    const answer = await run('Who is behind a broken button')
    expect(answer).toMatchObject({ status: 'completed', data: {} })
  })
})
