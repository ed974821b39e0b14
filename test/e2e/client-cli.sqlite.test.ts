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

const testedCommands = new Set<string>()
const usedCommands = new Set<string>()

/** Defines a test of these commands. The test fails if it does not run all of them. */
function testCommands(title: string, commands: string[], test: () => Promise<void>): void {
  for (const command of commands) testedCommands.add(command)
  it(title, async () => {
    usedCommands.clear()
    await test()
    expect([...usedCommands].sort()).toEqual([...commands].sort())
  })
}

function target() {
  return { url: inject('deployment').urls[0] ?? '', key: teamKey(), home: folder.path }
}

function firecrawl(...args: string[]) {
  if (args[0] && !args[0].startsWith('-')) usedCommands.add(args[0])
  return runPublishedCli(target(), args)
}

async function expectSuccess(...args: string[]): Promise<string> {
  const { code, out, all } = await firecrawl(...args)
  expect(code, all).toBe(0)
  return out
}

async function expectFailure(...args: string[]): Promise<string> {
  const { code, all } = await firecrawl(...args)
  expect(code, all).toBe(1)
  return all
}

/** These commands change other programs of the machine, some with files from the web, and call no service. */
const setupCommands = ['init', 'setup', 'make', 'launch']

it('every published command has a test', async () => {
  const { out } = await runPublishedCli(target(), ['--help'])
  const [, commands = ''] = out.split('Commands:')
  const all = [...commands.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name)
  const untested = ['help', ...setupCommands]
  expect(all).toEqual(expect.arrayContaining([...untested, 'scrape']))
  expect(all.filter((name) => !testedCommands.has(name) && !untested.includes(name))).toEqual([])
})

describe('the published command line', () => {
  testCommands('scrapes a page, several pages, and only what is asked for', ['scrape'], async () => {
    expect(await expectSuccess('scrape', `${site.url}/pages/6`)).toContain('# Page 6')
    const both = JSON.parse(
      await expectSuccess('scrape', `${site.url}/pages/6`, '--format', 'markdown,links', '--json'),
    )
    expect(both.links).toEqual([`${site.url}/pages/7`])
    await expectSuccess('scrape', `${site.url}/pages/1`, `${site.url}/pages/2`)
    expect(readdirSync(join(folder.path, '.firecrawl'))).toEqual(
      expect.arrayContaining(['127.0.0.1-pages-1.md', '127.0.0.1-pages-2.md']),
    )
  })

  testCommands('saves the pages of a site', ['experimental'], async () => {
    // The command maps the full site first, regardless of the limit.
    const small = await startSite({
      routes: {
        '/': (exchange) => sendHtml(exchange, '<h1>Root</h1><a href="/leaf">A leaf</a>'),
        '/leaf': (exchange) => sendHtml(exchange, '<h1>Leaf</h1>'),
      },
    })
    await expectSuccess('experimental', 'download', small.url, '--limit', '2', '-y')
    await small.stop()
    const saved = join(folder.path, '.firecrawl', '127.0.0.1')
    expect(readFileSync(join(saved, 'index.md'), 'utf8')).toContain('# Root')
    expect(readFileSync(join(saved, 'leaf', 'index.md'), 'utf8')).toContain('# Leaf')
  })

  testCommands('crawls to the end, and reads how an earlier crawl stands', ['crawl'], async () => {
    const args = ['--limit', '3', '--wait', '--crawl-entire-domain']
    const crawled = JSON.parse(await expectSuccess('crawl', `${site.url}/links/5`, ...args))
    expect(crawled).toMatchObject({ status: 'completed', completed: 3 })
    expect(await expectSuccess('crawl', crawled.id, '--status')).toContain('completed')
  })

  testCommands('maps and parses', ['map', 'parse'], async () => {
    expect(await expectSuccess('map', site.url, '--limit', '10')).toContain(site.url)
    writeFileSync(join(folder.path, 'fog.html'), '<h1>Fog</h1>')
    expect(await expectSuccess('parse', 'fog.html')).toContain('# Fog')
  })

  const searchCommands = ['scrape', 'search', 'search-feedback', 'developer']
  testCommands(
    'searches, says what the result was worth, and searches for developers',
    searchCommands,
    async () => {
      await expectSuccess('scrape', `${site.url}/pages/51`)
      const search = () => expectSuccess('search', '"Page 51"', '--limit', '2', '--json')
      await expect.poll(search).toContain(`${site.url}/pages/51`)
      const { id } = JSON.parse(await search())
      const rating = ['--rating', 'good', '--valuable-sources', `${site.url}/pages/51`, '--json']
      expect(JSON.parse(await expectSuccess('search-feedback', id, ...rating))).toMatchObject({
        success: true,
      })
      expect(await expectSuccess('developer', 'zz-no-such-thing')).toEqual(expect.any(String))
    },
  )

  testCommands('works on the page that it scraped last', ['scrape', 'interact'], async () => {
    await expectSuccess('scrape', `${site.url}/pages/5`)
    expect(await expectSuccess('interact', '--code', 'await page.title()', '--node')).toContain('Page 5')
    await expectSuccess('interact', 'stop')
  })

  // The command exists only for compatibility. The help does not list it.
  testCommands('opens a browser, works in it and closes it', ['browser'], async () => {
    await expectSuccess('browser', 'launch-session')
    expect(await expectSuccess('browser', 'execute', `open ${site.url}/pages/4`)).toContain('Page 4')
    expect(await expectSuccess('browser', 'close')).toContain('Session closed')
  })

  const infoCommands = ['credit-usage', 'doctor', 'view-config', 'version', 'env']
  testCommands('tells who is asking, what is left and whether all is well', infoCommands, async () => {
    expect(await expectSuccess('--status')).toContain('Authenticated')
    expect(await expectSuccess('credit-usage')).toContain('Remaining Credits')
    expect(await expectSuccess('doctor')).toMatch(/API Key Validity\s+accepted/)
    expect(await expectSuccess('view-config')).toContain('Authenticated')
    expect(await expectSuccess('version')).toContain('version:')
    await expectSuccess('env')
    expect(readFileSync(join(folder.path, '.env'), 'utf8')).toContain(teamKey())
  })

  it('asks the service why a job failed', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000'
    expect(await expectSuccess('doctor', unknown)).toContain(`no job "${unknown}"`)
  })

  testCommands(
    'keeps a key and an address, uses them and forgets them',
    ['login', 'config', 'scrape', 'logout'],
    async () => {
      const home = temporaryFolder()
      const [url, key] = [inject('deployment').urls[0] ?? '', teamKey()]
      const ownTarget = { url: '', key: '', home: home.path }
      const run = async (...args: string[]) => {
        usedCommands.add(args[0] ?? '')
        const { code, all } = await runPublishedCli(ownTarget, args)
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

  testCommands('sends feedback on a job', ['scrape', 'feedback'], async () => {
    const { all } = await firecrawl('scrape', `${site.url}/pages/61`)
    const id = /Scrape ID: (\S+)/.exec(all)?.[1] ?? ''
    expect(await expectSuccess('feedback', 'scrape', id, '--rating', 'good')).not.toContain('Error')
  })

  testCommands(
    'shows what this installation has not, and fails',
    ['monitor', 'agent', 'research', 'scrape'],
    async () => {
      expect(await expectFailure('monitor', 'list')).toContain('Not available on this installation')
      expect(await expectFailure('agent', 'the title', '--wait')).toContain('MODEL_URL')
      // Errors of research contain only the status. research.test.ts tests research with providers.
      expect(await expectFailure('research', 'search-papers', 'tide')).toContain('status code 501')
      expect(await expectFailure('scrape', 'http://10.0.0.1/')).toContain('ALLOW_PRIVATE_NETWORK')
    },
  )
})
