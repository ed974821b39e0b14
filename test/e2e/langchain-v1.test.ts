import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, teamKey } from '../api.ts'
import { lampRoutes } from '../site/lamps.ts'
import { type Site, startSite } from '../site/site.ts'

const prepared = join(import.meta.dirname, '..', '..', '.prepared', 'python-older', 'bin', 'python3')
const python = process.env.TEST_OLDER_PYTHON_PATH ?? (existsSync(prepared) ? prepared : undefined)
const without = python === undefined ? ' (skipped: the older clients could not be installed)' : ''

let site: Site
/** What each mode came to. */
let outcomes: Record<string, Json> = {}
beforeAll(async () => {
  site = await startSite({ routes: lampRoutes })
  if (python === undefined) return
  const given = { url: inject('deployment').urls[0] ?? '', key: teamKey(), site: site.url }
  const program = join(import.meta.dirname, '..', 'python', 'langchain_v1.py')
  const child = spawn(python, ['-I', program, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect({ code: child.exitCode, stderr }).toMatchObject({ code: 0 })
  const lines: Json[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  outcomes = Object.fromEntries(lines.map(({ mode, ...outcome }) => [mode, outcome]))
}, 120_000)
afterAll(() => site.stop())

describe.skipIf(without !== '')(`LangChain's loader for Python${without}`, () => {
  const loaded = (mode: string): Json[] => {
    expect(outcomes[mode]?.error).toBeUndefined()
    return outcomes[mode].documents
  }

  it('loads a page, also by its older options', () => {
    expect(loaded('scrape')).toMatchObject([
      { text: expect.stringContaining('# Desk lamp'), metadata: { statusCode: 200 } },
    ])
    expect(loaded('scrape_with_older_options')[0].text).toContain('<h1')
  })

  it('loads the pages of a site', () => {
    const titles = loaded('crawl').map(({ metadata }) => metadata.title)
    expect(titles.sort()).toEqual(['Desk lamp', 'Floor lamp', 'Lamps'])
  })

  it('loads a map and what it extracts', () => {
    // With this client, the loader lists the names of the fields of the answer.
    expect(loaded('map').map((one) => one.text)).toEqual(expect.arrayContaining(['success', 'links']))
    expect(loaded('extract')[0].text).toContain('1299')
  })
})
