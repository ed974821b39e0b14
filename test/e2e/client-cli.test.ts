import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { teamKey } from '../api.ts'
import { temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

const program = fileURLToPath(new URL('../../node_modules/firecrawl-cli/dist/index.js', import.meta.url))

let site: Site
const folder = temporaryFolder()
beforeAll(async () => {
  site = await startSite()
})
afterAll(async () => {
  await site.stop()
  folder.remove()
})

/** The published command line, run to its end with nothing of this machine's settings. */
async function firecrawl(...args: string[]): Promise<{ code: number; out: string; all: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder.path,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: folder.path, FIRECRAWL_NO_TELEMETRY: '1', NO_COLOR: '1' },
      FIRECRAWL_API_URL: inject('deployment').urls[0] ?? '',
      FIRECRAWL_API_KEY: teamKey(),
    },
  })
  let [out, all] = ['', '']
  child.stdout.on('data', (part) => {
    out += part
    all += part
  })
  child.stderr.on('data', (part) => (all += part))
  const [code] = await once(child, 'close')
  return { code, out, all }
}

async function done(...args: string[]): Promise<string> {
  const { code, out, all } = await firecrawl(...args)
  expect(code, all).toBe(0)
  return out
}

describe('the published command line', () => {
  it('scrapes a page, several pages, and only what is asked for', async () => {
    expect(await done('scrape', `${site.url}/pages/6`)).toContain('# Page 6')
    const both = JSON.parse(
      await done('scrape', `${site.url}/pages/6`, '--format', 'markdown,links', '--json'),
    )
    expect(both.links).toEqual([`${site.url}/pages/7`])
    await done('scrape', `${site.url}/pages/1`, `${site.url}/pages/2`)
    expect(readdirSync(join(folder.path, '.firecrawl')).sort()).toEqual([
      '127.0.0.1-pages-1.md',
      '127.0.0.1-pages-2.md',
    ])
  })

  it('crawls to the end, and reads how an earlier crawl stands', async () => {
    const args = ['--limit', '3', '--wait', '--crawl-entire-domain']
    const crawled = JSON.parse(await done('crawl', `${site.url}/links/5`, ...args))
    expect(crawled).toMatchObject({ status: 'completed', completed: 3 })
    expect(await done('crawl', crawled.id, '--status')).toContain('completed')
  })

  it('maps, searches and parses', async () => {
    expect(await done('map', site.url, '--limit', '10')).toContain(site.url)
    await done('scrape', `${site.url}/pages/51`)
    await expect.poll(() => done('search', '"Page 51"', '--limit', '2')).toContain(`${site.url}/pages/51`)
    writeFileSync(join(folder.path, 'fog.html'), '<h1>Fog</h1>')
    expect(await done('parse', 'fog.html')).toContain('# Fog')
    expect(await done('developer', 'zz-no-such-thing')).toEqual(expect.any(String))
  })

  it('works on the page that it scraped last', async () => {
    await done('scrape', `${site.url}/pages/5`)
    expect(await done('interact', '--code', 'await page.title()', '--node')).toContain('Page 5')
    await done('interact', 'stop')
  })

  it('tells who is asking, what is left and whether all is well', async () => {
    expect(await done('--status')).toContain('Authenticated')
    expect(await done('credit-usage')).toContain('Remaining Credits')
    expect(await done('doctor')).toMatch(/API Key Validity\s+accepted/)
    expect(await done('view-config')).toContain('Authenticated')
    expect(await done('version')).toContain('version:')
    await done('env')
    expect(existsSync(join(folder.path, '.env'))).toBe(true)
    expect(readFileSync(join(folder.path, '.env'), 'utf8')).toContain(teamKey())
  })

  it('sends feedback on a job', async () => {
    const { all } = await firecrawl('scrape', `${site.url}/pages/61`)
    const id = /Scrape ID: (\S+)/.exec(all)?.[1] ?? ''
    expect(await done('feedback', 'scrape', id, '--rating', 'good')).not.toContain('Error')
  })

  it('shows what this installation has not, and fails', async () => {
    const monitor = await firecrawl('monitor', 'list')
    expect([monitor.code, monitor.all]).toEqual([
      1,
      expect.stringContaining('Not available on this installation'),
    ])
    const agent = await firecrawl('agent', 'the title', '--wait')
    expect([agent.code, agent.all]).toEqual([1, expect.stringContaining('MODEL_URL')])
    const forbidden = await firecrawl('scrape', 'http://10.0.0.1/')
    expect([forbidden.code, forbidden.all]).toEqual([1, expect.stringContaining('ALLOW_PRIVATE_NETWORK')])
  })
})
