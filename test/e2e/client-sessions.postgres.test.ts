import Firecrawl from 'firecrawl'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { teamKey } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const client = () => new Firecrawl({ apiUrl: inject('deployment').urls[0] ?? '', apiKey: teamKey() })

describe('the published JavaScript client', () => {
  it('opens, uses, lists and deletes a browser', async () => {
    const session = await client().browser({ ttl: 60, activityTtl: 30, streamWebView: true })
    expect(session).toMatchObject({ success: true, id: expect.any(String), cdpUrl: expect.any(String) })
    const id = session.id ?? ''
    // Without a language, the client sends bash.
    const shell = await client().browserExecute(id, { code: 'echo $((6 * 7))' })
    expect(shell).toMatchObject({ success: true, stdout: '42\n', exitCode: 0 })
    const node = await client().browserExecute(id, {
      code: `await page.goto('${site.url}/pages/6'); page.url()`,
      language: 'node',
      timeout: 20,
    })
    expect(node.result).toBe(`${site.url}/pages/6`)
    const { sessions } = await client().listBrowsers({ status: 'active' })
    expect(sessions?.map((item) => item.id)).toContain(id)
    const deleted = await client().deleteBrowser(id)
    expect(deleted).toMatchObject({ success: true, creditsBilled: 2 })
    await expect(client().browserExecute(id, { code: 'true' })).rejects.toMatchObject({ status: 410 })
  })

  it('interacts with a scraped page, and stops', async () => {
    const document = await client().scrape(`${site.url}/pages/5`)
    const id = document.metadata?.scrapeId ?? ''
    const ran = await client().interact(id, { code: 'await page.title()', timeout: 30 })
    expect(ran).toMatchObject({ success: true, exitCode: 0 })
    expect(ran.result).toContain('5')
    expect(ran.liveViewUrl).toContain('/live/')
    expect(await client().stopInteraction(id)).toMatchObject({ success: true })
    await expect(client().interact(id, { code: '1' })).rejects.toMatchObject({ status: 410 })
  })
})
