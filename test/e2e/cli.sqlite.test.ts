import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { call } from '../api.ts'
import { cliEnvironment, program, winnow } from '../cli.ts'
import { onFreePort } from '../servers/free-port.ts'
import { temporaryFolder } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const execute = promisify(execFile)
const escapeCharacter = '\u001b'
const lamp = '<dl><dt>Price</dt><dd>40 €</dd></dl><p>A lamp to put on a desk.</p>'
let site: Site
const folder = temporaryFolder()
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/hostile': (exchange) =>
        sendHtml(
          exchange,
          page(
            `Title ${escapeCharacter}]0;owned\u0007`,
            `<p>Red &#27;[31m and clear ${escapeCharacter}[2J and \u009b31m one byte. It goes on with words.</p>`,
          ),
        ),
      '/lamp': (exchange) => sendHtml(exchange, page('Desk lamp', lamp)),
      '/names': (exchange) =>
        sendHtml(
          exchange,
          page(
            'Names',
            ['a%2F..%2F..%2F..%2Fetc', '%2e%2e%2fup', 'same?x=1', 'same-x=1', '..%5cwin', 'x%00y']
              .map((name) => `<a href="/names/${name}">${name}</a>`)
              .join(' '),
          ),
        ),
      '/names/:name': (exchange) => sendHtml(exchange, page('A name', '<p>Text of a page with a name.</p>')),
    },
  })
})
afterAll(async () => {
  await site.stop()
  folder.remove()
})

const closedPort = () => onFreePort(async (port) => port)
const listFiles = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort()

describe.concurrent('winnow scrape and parse', () => {
  it('accepts removed formats and flags with a warning for each', async ({ expect }) => {
    const args = ['scrape', `${site.url}/lamp`, '-f', 'markdown,chunks', '-f', 'menu', '--plain']
    const { code, stdout, stderr } = await winnow(args)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^# Desk lamp/)
    expect(stderr).toContain('The format chunks was removed.')
    expect(stderr).toContain('The format menu was removed.')
    expect(stderr).toContain('The option --plain was removed: Markdown is always printed as it is.')
  })

  it('writes a page as Markdown to a pipe, without terminal control characters', async ({ expect }) => {
    const { code, stdout, stderr } = await winnow(['scrape', `${site.url}/hostile`])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Red ␛[31m and clear ␛[2J')
    expect(stdout).not.toMatch(/(?![\n\t])\p{Cc}/u)
  })

  it('prints JSON with the same content, and without control characters', async ({ expect }) => {
    const { stdout } = await winnow(['scrape', `${site.url}/hostile`, '--json', '-f', 'markdown,links'])
    expect(stdout).not.toMatch(/(?![\n\t])\p{Cc}/u)
    expect(JSON.parse(stdout)).toMatchObject({
      links: [],
      markdown: expect.stringContaining(`clear ${escapeCharacter}[2J`),
    })
  })

  it('passes flags, other options and an options file to the service', async ({ expect }) => {
    const options = join(folder.path, 'options.json')
    writeFileSync(options, JSON.stringify({ formats: ['html'], mobile: true, location: { country: 'SE' } }))
    const request = ['--options', options, '--no-main-content', '--header', 'X-Asked: yes']
    const { stdout, stderr } = await winnow([
      ...['scrape', `${site.url}/lamp`, ...request, '--option', 'location.languages=["sv"]'],
    ])
    expect(stderr).toBe('')
    expect(stdout).toContain('<h1>Desk lamp</h1>')
    const siteRequest = site.requests.find(({ headers }) => headers['x-asked'] === 'yes')
    expect(siteRequest?.headers['accept-language']).toMatch(/^sv/)
  })

  it('lets the service validate options, and prints its error', async ({ expect }) => {
    const { code, stderr } = await winnow(['scrape', `${site.url}/lamp`, '--option', 'wait=5'])
    expect(code).toBe(1)
    expect(stderr).toContain('wait')
  })

  it('writes a page with front matter to a file, and into a folder', async ({ expect }) => {
    const file = join(folder.path, 'page.md')
    const pages = join(folder.path, 'pages')
    const [first, second] = await Promise.all([
      winnow(['scrape', `${site.url}/lamp`, '-o', file]),
      winnow(['scrape', `${site.url}/lamp`, '-o', `${pages}/`, '-f', 'markdown,html']),
    ])
    expect([first, second]).toMatchObject([
      { code: 0, stdout: '' },
      { code: 0, stdout: '' },
    ])
    expect(readFileSync(file, 'utf8')).toMatch(
      /^---\nsourceURL: "http[^"]*\/lamp"\n[\s\S]*title: "Desk lamp"\n[\s\S]*---\n\n# Desk lamp/,
    )
    expect(listFiles(pages)).toEqual([`127.0.0.1-${site.port}/lamp.html`, `127.0.0.1-${site.port}/lamp.md`])
  })

  it('extracts values with a schema', async ({ expect }) => {
    const schema = '{"type":"object","properties":{"price":{"type":"string"}}}'
    const { stdout } = await winnow(['scrape', `${site.url}/lamp`, '--schema', schema])
    expect(JSON.parse(stdout).json).toEqual({ price: '40 €' })
  })

  it('parses a file, and standard input', async ({ expect }) => {
    const file = join(folder.path, 'lamp.html')
    writeFileSync(file, page('Desk lamp', lamp))
    const [named, piped] = await Promise.all([
      winnow(['parse', file]),
      winnow(['parse', '-', '--name', 'lamp.html', '--json'], { input: page('Desk lamp', lamp) }),
    ])
    expect(named.stdout).toMatch(/^# Desk lamp\n/)
    expect(JSON.parse(piped.stdout).markdown).toContain('# Desk lamp')
  })
})

describe.concurrent('winnow with sites', () => {
  it('lists the URLs of a site, and scrapes them', async ({ expect }) => {
    const map = await winnow(['map', `${site.url}/tree`, '-n', '5'])
    expect(map).toMatchObject({ code: 0, stderr: '5 addresses.\n' })
    const lines = join(folder.path, 'pages.jsonl')
    const { code } = await winnow(['batch', '-', '-o', lines], { input: `# a list\n\n${map.stdout}` })
    expect(code).toBe(0)
    const pages = readFileSync(lines, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).metadata.sourceURL)
    expect(pages.sort()).toEqual(map.stdout.trim().split('\n').sort())
  })

  it('writes each crawled page to its own file, and none outside the folder', async ({ expect }) => {
    const out = join(folder.path, 'names')
    const { code } = await winnow(['crawl', `${site.url}/names`, '-o', out])
    expect(code).toBe(0)
    const host = `127.0.0.1-${site.port}`
    const names = listFiles(out)
    expect(names).toHaveLength(7)
    expect(names.every((name) => name === `${host}/names.md` || name.startsWith(`${host}/names/`))).toBe(true)
    expect(names.filter((name) => name.startsWith(`${host}/names/same-x=1`))).toHaveLength(2)
    expect(readdirSync(folder.path)).not.toContain('etc.md')
  })

  it('follows no symbolic link out of the folder, and replaces no existing file', async ({ expect }) => {
    const out = join(folder.path, 'taken')
    const outside = join(folder.path, 'elsewhere')
    mkdirSync(outside)
    mkdirSync(join(out, `127.0.0.1-${site.port}`), { recursive: true })
    writeFileSync(join(out, `127.0.0.1-${site.port}`, 'lamp.md'), 'mine')
    const written = await winnow(['scrape', `${site.url}/lamp`, '-o', out])
    expect(written.code).toBe(0)
    expect(readFileSync(join(out, `127.0.0.1-${site.port}`, 'lamp.md'), 'utf8')).toBe('mine')
    symlinkSync(outside, join(out, `127.0.0.1-${site.port}`, 'names'))
    const rejected = await winnow(['scrape', `${site.url}/names/x`, '-o', out])
    expect(rejected).toMatchObject({ code: 1, stderr: expect.stringContaining('links are not followed') })
    expect(readdirSync(outside)).toEqual([])
  })

  it('names the pages that failed, and exits with code 5', async ({ expect }) => {
    const closed = `http://127.0.0.1:${await closedPort()}/`
    const { code, stdout, stderr } = await winnow(['batch', `${site.url}/lamp`, closed])
    expect(code).toBe(5)
    expect(stdout).toMatch(/^---\nsourceURL: [\s\S]*# Desk lamp/)
    expect(stderr).toContain('1 failed')
    expect(stderr).toContain(closed)
  })

  it('resumes a crawl by its id, and writes no page twice', async ({ expect }) => {
    const out = join(folder.path, 'resumed')
    const { stderr } = await winnow(['crawl', `${site.url}/tree`, '-n', '6', '-o', out])
    const id = /Crawl (\S+)/.exec(stderr)?.[1] ?? ''
    const again = await winnow(['crawl', '--resume', id, '-o', out])
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('0 written') })
    expect(again.stderr).toContain('6 were there')
    const watched = await winnow(['watch', id, '--json'])
    expect(
      watched.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).metadata.statusCode),
    ).toEqual(Array.from({ length: 6 }, () => 200))
  })

  it('ends when the output pipe closes, prints how to resume, and leaves the crawl running', async ({
    expect,
  }) => {
    const command = `${process.execPath} ${program} crawl ${site.url}/tree | head -n 1; exit \${PIPESTATUS[0]}`
    // Throws if the exit code is not zero.
    const { stdout, stderr } = await execute('bash', ['-c', command], { env: cliEnvironment() })
    expect(stdout).toBe('---\n')
    expect(stderr).toMatch(/The crawl goes on.*\n +winnow watch /)
  })

  it('extracts values, and reads the result again by its id', async ({ expect }) => {
    const schema = join(folder.path, 'schema.json')
    writeFileSync(schema, '{"type":"object","properties":{"price":{"type":"string"}}}')
    const { code, stdout, stderr } = await winnow(['extract', `${site.url}/lamp`, '--schema', schema])
    expect({ code, values: JSON.parse(stdout) }).toEqual({ code: 0, values: { price: '40 €' } })
    const watched = await winnow(['watch', /Extract (\S+)/.exec(stderr)?.[1] ?? ''])
    expect(watched.stdout).toBe(stdout)
  })

  it('searches crawled pages', async ({ expect }) => {
    await winnow(['scrape', `${site.url}/lamp`, '--max-age', '0'])
    // Pages are indexed asynchronously after the scrape.
    const findPages = async () =>
      (await call('POST', '/v2/search', { body: { query: 'desk lamp' } })).body.data.web
    await expect.poll(async () => (await findPages())[0]?.title).toBe('Desk lamp')
    const { code, stdout } = await winnow(['search', 'desk', 'lamp', '--limit', '3'])
    expect(code).toBe(0)
    expect(stdout).toContain(`. [Desk lamp](<${site.url}/lamp>)`)
  })
})
