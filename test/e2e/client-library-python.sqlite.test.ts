import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, teamKey } from '../api.ts'
import { docx } from '../documents/office.ts'
import { lamps } from '../documents/post.ts'
import { exampleOf, installLibrary, programOf, resultOf, runPython, stepsIn } from '../python-library.ts'
import { testPython } from '../servers/moto.ts'
import { temporaryFolder } from '../service.ts'
import { lampRoutes } from '../site/lamps.ts'
import { type Site, startSite } from '../site/site.ts'

const kinds = ['Winnow', 'AsyncWinnow'] as const
const skipNote =
  testPython === undefined ? ' (skipped: the packages of the tests could not be installed)' : ''

let site: Site
const folder = temporaryFolder()
const outcomes: Record<string, Record<string, Json>> = {}
let library = { python: '', wheel: '' }
beforeAll(async () => {
  site = await startSite({ routes: lampRoutes })
  writeFileSync(join(folder.path, 'lamps.pdf'), lamps)
  writeFileSync(join(folder.path, 'lighthouse.docx'), docx())
  if (testPython === undefined) return
  library = await installLibrary(folder.path)
  const url = inject('deployment').urls[0] ?? ''
  const run = async (kind: string) => {
    const input = { kind, url, key: teamKey(), site: site.url, files: folder.path }
    return stepsIn(
      await runPython(library.python, ['-I', '-B', programOf('library.py'), JSON.stringify(input)]),
    )
  }
  const results = await Promise.all(kinds.map(run))
  for (const [index, kind] of kinds.entries()) outcomes[kind] = results[index] ?? {}
}, 180_000)
afterAll(async () => {
  await site.stop()
  folder.remove()
})

describe.skipIf(skipNote !== '')(`examples of our Python client${skipNote}`, () => {
  const run = (name: string, args: string[]) => {
    const service = { WINNOW_URL: inject('deployment').urls[0] ?? '', WINNOW_API_KEY: teamKey() }
    return runPython(library.python, ['-B', exampleOf(name), ...args], { environment: service })
  }

  it('write the pages of a crawl into files', async () => {
    const target = join(folder.path, 'pages')
    expect(await run('crawl_to_files.py', [`${site.url}/tree/b`, target])).toMatch(/^\d+ pages in /m)
    const files = readdirSync(target)
    expect(files[0]).toMatch(/^00001-http-[\w-]+-tree-b\.md$/)
    expect(readFileSync(join(target, files[0] ?? ''), 'utf8')).toContain('# ')
  })

  it('scrape several pages concurrently', async () => {
    const printed = await run('several_at_once.py', [`${site.url}/pages/30`, 'http://no-such-host.invalid/'])
    expect(printed.trim().split('\n')).toEqual([
      expect.stringMatching(/pages\/30: .*30/),
      'http://no-such-host.invalid/: SCRAPE_DNS_RESOLUTION_ERROR',
    ])
  })
})

describe.skipIf(skipNote !== '').each(kinds)(`our Python client, %s${skipNote}`, (kind) => {
  const outcome = (step: string): Json => resultOf(outcomes[kind], step)

  it('scrapes with options, and reads the result again', () => {
    const { document, same } = outcome('scrape')
    expect(document.markdown).not.toContain('|')
    expect(document.links.length).toBeGreaterThan(0)
    expect(document.screenshot).toMatch(/^http/)
    expect(document.metadata).toMatchObject({ statusCode: 200, sourceURL: `${site.url}/article` })
    expect(same).toBe(true)
  })

  it('accepts a Pydantic model as schema', () => {
    expect(outcome('scrape_by_a_model')).toMatchObject({ title: 'Desk lamp', price: 1299 })
  })

  it('raises a specific class of error for each kind of failure', () => {
    const failures = outcome('refusals')
    expect(failures).toMatchObject({
      unknown_option: { kind: 'InvalidRequestError', status: 400, code: 'BAD_REQUEST', attempts: 1 },
      no_such_host: {
        ...{ kind: 'ScrapeError', code: 'SCRAPE_DNS_RESOLUTION_ERROR', attempts: 1 },
        job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
      wrong_key: { kind: 'AuthenticationError', status: 401, code: 'UNAUTHORIZED' },
      no_such_job: { kind: 'NotFoundError', status: 404, code: 'JOB_NOT_FOUND' },
      job_of_a_path: { kind: 'InvalidRequestError', code: 'INVALID_JOB_ID' },
      not_an_operator: { kind: 'PermissionDeniedError', status: 403, code: 'OPERATOR_KEY_REQUIRED' },
      one_string: { kind: 'TypeError' },
      bytes_without_a_name: { kind: 'ValueError', message: expect.stringContaining('name=') },
      not_json: { kind: 'TypeError', message: expect.stringContaining('set') },
      key_with_a_line_break: { kind: 'ValueError' },
      no_address: { kind: 'ValueError', message: expect.stringContaining('http://') },
    })
    expect(failures.unknown_option.message).toContain('no_such_option')
    expect(failures.no_such_host.request_id).toMatch(/^[0-9a-f]{32}$/)
    expect(failures.repr).not.toContain(teamKey())
  })

  it('parses bytes, a path and an open file', () => {
    const { plain, path, opened, damaged } = outcome('parse')
    expect(plain.markdown).toContain('# Fog')
    expect(path.markdown).toContain('# Report on lamps')
    expect(opened.html).toContain('<td>1901</td>')
    expect(damaged).toMatchObject({ kind: 'ScrapeError', status: 422, code: 'DOCUMENT_DAMAGED' })
  })

  it('reads the pages of a crawl as they complete, from any offset, and as files', () => {
    const { pages, progress, ...rest } = outcome('pages_of_a_crawl')
    expect(new Set(pages).size).toBe(6)
    expect(progress).toMatchObject({ status: 'completed', total: 6, completed: 6, data: [] })
    expect(rest).toMatchObject({
      ...{ rest: true, lines: 6, zip: 'PK', drafts: [], rows: true },
      errors: { errors: [], summary: { completed: 6 } },
      nothing_to_retry: { kind: 'ConflictError', code: 'NOTHING_TO_RETRY' },
    })
  })

  it('waits for all pages of a crawl and of a batch, and retries failed pages', () => {
    const crawled = outcome('crawl')
    expect(crawled).toMatchObject({ id: expect.any(String), status: 'completed', completed: 3 })
    expect(crawled.data).toHaveLength(3)
    const { done, failed, started, again } = outcome('batch')
    expect(done).toMatchObject({ status: 'completed', completed: 3, warning: expect.any(String) })
    expect(done.data).toHaveLength(3)
    expect(failed).toMatchObject([
      { url: 'http://no-such-host.invalid/', code: 'SCRAPE_DNS_RESOLUTION_ERROR' },
    ])
    expect(started).toBe(1)
    expect(again).toMatchObject({ completed: 0, data: [] })
  })

  it('cancels a job, and reports the cancellation to other callers', () => {
    expect(outcome('cancelled_jobs')).toMatchObject({
      late: { kind: 'CallTimeoutError', code: 'CALL_TIMEOUT' },
      by_me: [],
      by_another: { kind: 'JobFailedError', outcome: 'cancelled', job_id: expect.any(String) },
      waited: { status: 'cancelled', data: [] },
      again: { kind: 'ConflictError', code: 'JOB_ALREADY_ENDED' },
    })
  })

  it('maps, searches, and makes concurrent calls', () => {
    const { links } = outcome('map_a_site')
    expect(links).toHaveLength(5)
    for (const { url } of links) expect(url).toContain(`${site.url}/tree`)
    expect(outcome('search')).toMatchObject({ id: expect.any(String), creditsUsed: expect.any(Number) })
    expect(outcome('search').web[0].markdown).toEqual(expect.any(String))
    expect(outcome('several_at_once')).toBe(true)
  })

  it('opens a browser, uses it, and closes it at the end of the with block', () => {
    const { node, bash, closed, late, ...session } = outcome('browser')
    expect(session).toMatchObject({ status: 'active', listed: true, expires: expect.any(String) })
    expect(session.cdp).toMatch(/^ws/)
    expect(session.live).toContain('/live/')
    expect(node.result).toBe(`${site.url}/pages/6`)
    expect(bash).toMatchObject({ stdout: '42\n', exitCode: 0 })
    expect(closed).toMatchObject({ success: true, status: 'destroyed' })
    expect(late).toMatchObject({ kind: 'NotFoundError', status: 410, code: 'SESSION_DESTROYED' })
  })

  it('interacts with a page that it has scraped', () => {
    const { ran: results, shell, neither, stopped, late } = outcome('interact')
    expect(results).toMatchObject({ success: true, result: expect.stringContaining('5') })
    expect(shell.stdout).toBe('here\n')
    expect(neither).toMatchObject({ kind: 'InvalidRequestError', status: 400 })
    expect(stopped).toMatchObject({ success: true })
    expect(late).toMatchObject({ kind: 'NotFoundError', status: 410 })
  })

  it('reads data of the team and the installation, and closes', () => {
    const { team, credits, usage, activity, capabilities, asked, request, bad_path } = outcome('team')
    expect(team).toMatchObject({ team: { id: expect.any(String) } })
    expect(credits).toMatchObject({ remainingCredits: expect.any(Number) })
    expect(usage).toHaveLength(2)
    expect(activity.data).toMatchObject([{ endpoint: 'map' }])
    expect(capabilities).toMatchObject({ success: true })
    expect(asked.answer).toContain('does not resolve')
    expect(request).toMatchObject({ success: true })
    expect(bad_path).toMatchObject({ kind: 'ValueError' })
    expect(outcome('closing')).toBe(true)
  })
})
