import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Firecrawl from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { testPython } from '../servers/moto.ts'
import { temporaryFolder } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const folder = temporaryFolder()
let site: Site
let own: OwnService
const prompt = 'Who leads the house'
const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'City' },
    director: { type: 'string', description: 'Who leads it' },
  },
}
const claim = (value: string, quote: string) => ({ value, quote })
const toolCall = (name: string, args: object) => ({ calls: [{ name, arguments: args }] })

beforeAll(async () => {
  site = await startSite({
    routes: {
      '/house': (exchange) =>
        sendHtml(exchange, page('About us', '<p>Our house opened in Lund in 1998.</p>')),
      '/house/people': (exchange) => sendHtml(exchange, page('People', '<p>It is led by Ada Berg.</p>')),
      '/slow': async (exchange) => {
        await new Promise((resolve) => setTimeout(resolve, 15_000).unref())
        sendHtml(exchange, page('Slow', '<p>Late.</p>'))
      },
    },
  })
  const people = `${site.url}/house/people`
  const turns = [toolCall('scrape', { urls: [people] }), toolCall('done', { sources: [] })]
  const fields = ['city', 'director'].map((name) => ({
    ...{ name, type: 'string', itemFields: [] },
    description: schema.properties[name as keyof typeof schema.properties].description,
  }))
  const script = [
    { when: `The task: ${prompt}`, turns },
    { when: 'The task: Wait', turns: [toolCall('scrape', { urls: [`${site.url}/slow`] })] },
    {
      when: 'led by Ada Berg',
      turns: [{ value: { city: null, director: claim('Ada Berg', 'led by Ada Berg') } }],
    },
    { when: 'opened in Lund', turns: [{ value: { city: claim('Lund', 'opened in Lund'), director: null } }] },
    { turns: [{ value: { fields } }] },
  ]
  writeFileSync(join(folder.path, 'script.json'), JSON.stringify(script))
  own = await startOwnService({ MODEL_URL: `script:${join(folder.path, 'script.json')}` })
})
afterAll(async () => {
  await own.remove()
  await site.stop()
  folder.remove()
})

const expected = { city: 'Lund', director: 'Ada Berg' }

describe('the published JavaScript client', () => {
  const client = () => new Firecrawl({ apiUrl: own.url, apiKey: own.key })
  const urls = () => [`${site.url}/house`, `${site.url}/house/people`]

  it('extracts with a schema and with a prompt', async () => {
    const options = { urls: urls(), showSources: true, ignoreInvalidURLs: true, integration: 'test' }
    const bySchema = await client().extract({ ...options, schema, pollInterval: 1, timeout: 30 })
    expect(bySchema).toMatchObject({ success: true, status: 'completed', data: expected, creditsUsed: 10 })
    expect(bySchema.sources).toMatchObject({ city: [urls()[0]] })
    const byPrompt = await client().extract({
      ...{ urls: urls(), prompt, systemPrompt: 'Be exact', enableWebSearch: false, pollInterval: 1 },
      scrapeOptions: { onlyMainContent: false },
    })
    expect(byPrompt).toMatchObject({ status: 'completed', data: expected })
  })

  it('starts an extract and reads its status', async () => {
    const started = await client().startExtract({ urls: urls(), schema })
    expect(started).toMatchObject({ success: true, id: expect.any(String) })
    const status = await client().getExtractStatus(started.id ?? '')
    expect(['processing', 'completed']).toContain(status.status)
  })

  it('runs an agent and reads its trace, snapshots and threads', async () => {
    const options = { urls: [`${site.url}/house`], maxCredits: 100, effort: 'low' as const, pollInterval: 1 }
    const ended = await client().agent({ prompt, ...options, model: 'spark-1-mini', timeout: 30 })
    expect(ended).toMatchObject({ status: 'completed', data: expected, model: 'spark-1-mini', effort: 'low' })
    const { agents } = await client().listAgents()
    const id = agents?.[0]?.id ?? ''
    const { events } = await client().getAgentTrace(id, { liveView: true })
    const artifact = events?.find((event) => event.type === 'artifact.updated')
    const snapshotId = artifact?.type === 'artifact.updated' ? artifact.artifact.snapshotId : ''
    const { snapshot } = await client().getAgentSnapshot(id, snapshotId)
    expect(JSON.parse(snapshot ?? '')).toEqual(expected)
    const next = await client().startAgent({ prompt, threadId: ended.threadId ?? '' })
    expect(next).toMatchObject({ threadTurn: 2 })
    const { thread } = await client().getAgentThread(ended.threadId ?? '', { includeData: true })
    expect(thread?.runs[0]).toMatchObject({ turn: 1, status: 'succeeded', data: expected })
  })

  it('cancels an agent', async () => {
    const { id } = await client().startAgent({ prompt: 'Wait' })
    expect((await client().getAgentStatus(id)).status).toBe('processing')
    expect(await client().cancelAgent(id)).toBe(true)
    expect((await client().getAgentStatus(id)).status).toBe('failed')
  })
})

describe.skipIf(testPython === undefined).each(['Firecrawl', 'AsyncFirecrawl'])(
  'the published Python client, %s',
  (kind) => {
    it('extracts, runs agents and cancels them', { timeout: 120_000 }, async () => {
      const { extracts, agents, cancelled } = await run(kind)
      expect(extracts.started).toMatchObject({ success: true, id: expect.any(String) })
      expect(extracts.ended).toMatchObject({ status: 'completed', data: expected })
      expect(extracts.ended.sources.director).toEqual([`${site.url}/house/people`])
      expect(agents.ended).toMatchObject({ status: 'completed', data: expected, thread_turn: 1 })
      // The asyncio client omits fields that have another name in the API.
      if (kind === 'Firecrawl') {
        expect(extracts.ended.credits_used).toBe(10)
        const { runs } = agents.thread.thread
        expect(runs).toMatchObject([{ status: 'succeeded', data: expected }])
        expect(agents.listed).toContain(runs[0].id)
      }
      expect(agents.types.at(-1)).toBe('run.finished')
      expect(JSON.parse(agents.snapshot.snapshot)).toEqual(expected)
      expect(cancelled).toMatchObject({
        running: { status: 'processing' },
        done: true,
        ended: { status: 'failed' },
      })
    })
  },
)

async function run(kind: string): Promise<Json> {
  const input = { kind, url: own.url, key: own.key, site: site.url, schema, prompt }
  const program = join(import.meta.dirname, '..', 'python', 'gather.py')
  const child = spawn(testPython ?? '', ['-I', program, JSON.stringify(input)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect(child.exitCode, stderr).toBe(0)
  return JSON.parse(stdout)
}
