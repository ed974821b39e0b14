import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { teamKey } from '../api.ts'
import { runPublishedCli } from '../published.ts'
import { temporaryFolder } from '../service.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
const folder = temporaryFolder()
beforeAll(async () => {
  site = await startSite()
})
afterAll(async () => {
  await site.stop()
  folder.remove()
})

const named = new Set<string>()
const used = new Set<string>()

/** A test of these commands: it fails if it leaves one of them out. */
function shows(title: string, commands: string[], test: () => Promise<void>): void {
  for (const command of commands) named.add(command)
  it(title, async () => {
    used.clear()
    await test()
    expect([...used].sort()).toEqual([...commands].sort())
  })
}

function place() {
  return { url: inject('deployment').urls[0] ?? '', key: teamKey(), home: folder.path }
}

function firecrawl(...args: string[]) {
  if (args[0] && !args[0].startsWith('-')) used.add(args[0])
  return runPublishedCli(place(), args)
}

async function done(...args: string[]): Promise<string> {
  const { code, out, all } = await firecrawl(...args)
  expect(code, all).toBe(0)
  return out
}

async function refused(...args: string[]): Promise<string> {
  const { code, all } = await firecrawl(...args)
  expect(code, all).toBe(1)
  return all
}

/** They change other programs of the machine, some with files from the web, and call no service. */
const ofOtherPrograms = ['init', 'setup', 'make', 'launch']

it('every published command has a test', async () => {
  const { out } = await runPublishedCli(place(), ['--help'])
  const [, commands = ''] = out.split('Commands:')
  const all = [...commands.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name)
  const others = ['help', ...ofOtherPrograms]
  expect(all).toEqual(expect.arrayContaining([...others, 'scrape']))
  expect(all.filter((name) => !named.has(name) && !others.includes(name))).toEqual([])
})

describe('the published command line', () => {
  shows('scrapes a page, several pages, and only what is asked for', ['scrape'], async () => {
    expect(await done('scrape', `${site.url}/pages/6`)).toContain('# Page 6')
    const both = JSON.parse(
      await done('scrape', `${site.url}/pages/6`, '--format', 'markdown,links', '--json'),
    )
    expect(both.links).toEqual([`${site.url}/pages/7`])
    await done('scrape', `${site.url}/pages/1`, `${site.url}/pages/2`)
    expect(readdirSync(join(folder.path, '.firecrawl'))).toEqual(
      expect.arrayContaining(['127.0.0.1-pages-1.md', '127.0.0.1-pages-2.md']),
    )
  })

  shows('saves the pages of a site', ['experimental'], async () => {
    // It maps the whole site first, whatever the limit.
    const small = await startSite({
      routes: {
        '/': (exchange) => sendHtml(exchange, '<h1>Root</h1><a href="/leaf">A leaf</a>'),
        '/leaf': (exchange) => sendHtml(exchange, '<h1>Leaf</h1>'),
      },
    })
    await done('experimental', 'download', small.url, '--limit', '2', '-y')
    await small.stop()
    const saved = join(folder.path, '.firecrawl', '127.0.0.1')
    expect(readFileSync(join(saved, 'index.md'), 'utf8')).toContain('# Root')
    expect(readFileSync(join(saved, 'leaf', 'index.md'), 'utf8')).toContain('# Leaf')
  })

  shows('crawls to the end, and reads how an earlier crawl stands', ['crawl'], async () => {
    const args = ['--limit', '3', '--wait', '--crawl-entire-domain']
    const crawled = JSON.parse(await done('crawl', `${site.url}/links/5`, ...args))
    expect(crawled).toMatchObject({ status: 'completed', completed: 3 })
    expect(await done('crawl', crawled.id, '--status')).toContain('completed')
  })

  shows('maps and parses', ['map', 'parse'], async () => {
    expect(await done('map', site.url, '--limit', '10')).toContain(site.url)
    writeFileSync(join(folder.path, 'fog.html'), '<h1>Fog</h1>')
    expect(await done('parse', 'fog.html')).toContain('# Fog')
  })

  const searching = ['scrape', 'search', 'search-feedback', 'developer']
  shows('searches, says what the result was worth, and searches for developers', searching, async () => {
    await done('scrape', `${site.url}/pages/51`)
    const search = () => done('search', '"Page 51"', '--limit', '2', '--json')
    await expect.poll(search).toContain(`${site.url}/pages/51`)
    const { id } = JSON.parse(await search())
    const rating = ['--rating', 'good', '--valuable-sources', `${site.url}/pages/51`, '--json']
    expect(JSON.parse(await done('search-feedback', id, ...rating))).toMatchObject({ success: true })
    expect(await done('developer', 'zz-no-such-thing')).toEqual(expect.any(String))
  })

  shows('works on the page that it scraped last', ['scrape', 'interact'], async () => {
    await done('scrape', `${site.url}/pages/5`)
    expect(await done('interact', '--code', 'await page.title()', '--node')).toContain('Page 5')
    await done('interact', 'stop')
  })

  // It is kept for habits: the list of commands leaves it out.
  shows('opens a browser, works in it and closes it', ['browser'], async () => {
    await done('browser', 'launch-session')
    expect(await done('browser', 'execute', `open ${site.url}/pages/4`)).toContain('Page 4')
    expect(await done('browser', 'close')).toContain('Session closed')
  })

  const telling = ['credit-usage', 'doctor', 'view-config', 'version', 'env']
  shows('tells who is asking, what is left and whether all is well', telling, async () => {
    expect(await done('--status')).toContain('Authenticated')
    expect(await done('credit-usage')).toContain('Remaining Credits')
    expect(await done('doctor')).toMatch(/API Key Validity\s+accepted/)
    expect(await done('view-config')).toContain('Authenticated')
    expect(await done('version')).toContain('version:')
    await done('env')
    expect(readFileSync(join(folder.path, '.env'), 'utf8')).toContain(teamKey())
  })

  it('asks the service what went wrong with a job', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000'
    expect(await done('doctor', unknown)).toContain(`no job "${unknown}"`)
  })

  shows(
    'keeps a key and an address, uses them and forgets them',
    ['login', 'config', 'scrape', 'logout'],
    async () => {
      const home = temporaryFolder()
      const [url, key] = [inject('deployment').urls[0] ?? '', teamKey()]
      const ownPlace = { url: '', key: '', home: home.path }
      const run = async (...args: string[]) => {
        used.add(args[0] ?? '')
        const { code, all } = await runPublishedCli(ownPlace, args)
        expect(code, all).toBe(0)
        return all
      }
      await run('login', '--api-key', key, '--api-url', url)
      expect(await run('config')).toContain(url)
      expect(await run('scrape', `${site.url}/pages/7`)).toContain('# Page 7')
      await run('logout')
      expect(existsSync(join(home.path, '.config', 'firecrawl-cli', 'credentials.json'))).toBe(false)
      home.remove()
    },
  )

  shows('sends feedback on a job', ['scrape', 'feedback'], async () => {
    const { all } = await firecrawl('scrape', `${site.url}/pages/61`)
    const id = /Scrape ID: (\S+)/.exec(all)?.[1] ?? ''
    expect(await done('feedback', 'scrape', id, '--rating', 'good')).not.toContain('Error')
  })

  shows(
    'shows what this installation has not, and fails',
    ['monitor', 'agent', 'research', 'scrape'],
    async () => {
      expect(await refused('monitor', 'list')).toContain('Not available on this installation')
      expect(await refused('agent', 'the title', '--wait')).toContain('MODEL_URL')
      // Of errors of research it passes on the status alone. research.test.ts shows it where there are providers.
      expect(await refused('research', 'search-papers', 'tide')).toContain('status code 501')
      expect(await refused('scrape', 'http://10.0.0.1/')).toContain('ALLOW_PRIVATE_NETWORK')
    },
  )
})
