import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, type Json } from '../api.ts'
import { connect, type McpClient, revisions } from '../mcp.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let mcp: McpClient
beforeAll(async () => {
  site = await startSite()
  mcp = await connect()
})
afterAll(async () => {
  await mcp.close()
  await site.stop()
})

const accept = 'application/json, text/event-stream'
const post = (body: unknown, options: object = {}) =>
  call('POST', '/mcp', { body, headers: { accept }, ...options })
const listRequest = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })

describe('a rejected request', () => {
  it.each([
    ['without a key', null],
    ['with a wrong key', 'fc-00000000000000000000000000000001'],
  ])('%s', async (_, key) => {
    const { status, headers, body } = await post(listRequest(1), { key })
    expect([status, body.code, headers.get('www-authenticate')]).toEqual([401, 'UNAUTHORIZED', 'Bearer'])
    expect(body.error).toContain('Unauthorized')
    await expect(connect('legacy', { key: key ?? '' })).rejects.toThrow('UNAUTHORIZED')
  })

  it('returns a code for an invalid size, type or shape', async () => {
    const large = await post(`{"x":"${'a'.repeat(11 * 1024 * 1024)}"}`)
    expect([large.status, large.body.code, large.body.bound]).toEqual([
      413,
      'REQUEST_TOO_LARGE',
      'MAX_REQUEST_MB',
    ])
    const plainText = await post(listRequest(1), { headers: { accept, 'content-type': 'text/plain' } })
    expect([plainText.status, plainText.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    const broken = await post('{"jsonrpc"')
    expect([broken.status, broken.body.code]).toEqual([400, 'BAD_REQUEST_INVALID_JSON'])
    const deep = await post(`${'['.repeat(100)}${']'.repeat(100)}`)
    expect([deep.status, deep.body.bound]).toEqual([400, 'MAX_JSON_DEPTH'])
    const many = await post(Array.from({ length: 51 }, (_, id) => listRequest(id)))
    expect([many.status, many.body.bound]).toEqual([400, 'MAX_MCP_MESSAGES'])
    const notJsonRpc = await post({ hello: 'there' })
    expect([notJsonRpc.status, notJsonRpc.body.error.code]).toEqual([400, expect.any(Number)])
  })

  it.each(['GET', 'DELETE'])('returns 405 for the method %s', async (method) => {
    const { status, body } = await call(method, '/mcp')
    expect([status, body.code, body.allow]).toEqual([405, 'METHOD_NOT_ALLOWED', ['POST']])
  })

  it('names an unknown tool or resource', async () => {
    await expect(mcp.callTool('fetch_all')).rejects.toThrow(
      /There is no tool "fetch_all". There is ask, batch_scrape/,
    )
    const unknown = 'winnow://scrapes/00000000-0000-7000-8000-000000000000'
    await expect(mcp.client.readResource({ uri: unknown })).rejects.toThrow('JOB_NOT_FOUND')
    for (const uri of ['winnow://teams/1', 'file:///etc/passwd', 'winnow://scrapes/', 'nothing'])
      await expect(mcp.client.readResource({ uri })).rejects.toThrow('There is no such resource')
  })
})

describe('resources', () => {
  it('are the results of the team, listed in pages and readable from any character', async () => {
    const { text } = await mcp.callTool('scrape', { url: `${site.url}/pages/31` })
    const id = /scrapeId (\S+)/.exec(text)?.[1]
    const uri = `winnow://scrapes/${id}`
    const { resources } = await mcp.client.listResources()
    expect(resources).toContainEqual(expect.objectContaining({ uri, name: `${site.url}/pages/31` }))
    const [read] = (await mcp.client.readResource({ uri: `${uri}?offset=2` })).contents as Json[]
    expect(read.text).toMatch(/Characters 2 to \d+ of \d+ of markdown/)
    const { resourceTemplates } = await mcp.client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'winnow://scrapes/{id}{?field,offset}',
      'winnow://crawl/{id}{?skip}',
      'winnow://batch/{id}{?skip}',
      'winnow://extract/{id}',
    ])
  })

  it('of another team are not accessible', async () => {
    const { text } = await mcp.callTool('scrape', { url: `${site.url}/pages/32` })
    const id = /scrapeId (\S+)/.exec(text)?.[1] ?? ''
    const otherTeam = await connect('legacy', { key: inject('deployment').key })
    const rejected = await otherTeam.callTool('read_result', { scrapeId: id })
    expect([rejected.isError, rejected.text]).toEqual([true, expect.stringMatching(/^FORBIDDEN/)])
    await expect(otherTeam.client.readResource({ uri: `winnow://scrapes/${id}` })).rejects.toThrow(
      'FORBIDDEN',
    )
    await otherTeam.close()
  })
})

/** Returns the activity entry for the scrape of a page. */
async function activityOf(target: string): Promise<Json> {
  const { body } = await call('GET', '/v2/team/activity?endpoint=scrape&limit=100')
  return body.data.find((entry: Json) => entry.target === target)
}

describe.each(revisions)('cancellation by a client of %s', (name, mode) => {
  it('stops the scrape of this client only', async () => {
    const [client, otherClient] = [await connect(mode), await connect(mode)]
    const [cancelledUrl, keptUrl] = [`${site.url}/hang?cancelled-${name}`, `${site.url}/hang?kept-${name}`]
    const controller = new AbortController()
    const ended = client.callTool('scrape', { url: cancelledUrl, maxAge: 0 }, { signal: controller.signal })
    const otherController = new AbortController()
    const otherScrape = otherClient.callTool(
      'scrape',
      { url: keptUrl, maxAge: 0 },
      { signal: otherController.signal },
    )
    await expect.poll(() => site.requests.filter(({ path }) => path.endsWith(name)).length).toBe(2)
    controller.abort()
    await expect(ended).rejects.toThrow()
    await expect.poll(async () => (await activityOf(cancelledUrl))?.state).toBe('cancelled')
    expect((await activityOf(keptUrl)).state).toBe('running')
    otherController.abort()
    await expect(otherScrape).rejects.toThrow()
    await Promise.all([client.close(), otherClient.close()])
  })
})

it('the scrape of a disconnected client is cancelled', async () => {
  const url = `${site.url}/hang?gone`
  const leavingClient = await connect()
  const ended = leavingClient.callTool('scrape', { url, maxAge: 0 })
  const settled = ended.catch((thrown) => thrown)
  await expect.poll(() => site.requests.some(({ path }) => path.endsWith('gone'))).toBe(true)
  await leavingClient.close()
  expect(await settled).toBeInstanceOf(Error)
  await expect.poll(async () => (await activityOf(url))?.state).toBe('cancelled')
})

it('concurrent requests each get their own response', async () => {
  const numbers = Array.from({ length: 30 }, (_, index) => 100 + index)
  const answers = await Promise.all(
    numbers.map((number) => mcp.callTool('scrape', { url: `${site.url}/pages/${number}` })),
  )
  for (const [index, { text }] of answers.entries()) expect(text).toContain(`/pages/${numbers[index]}\n`)
})
