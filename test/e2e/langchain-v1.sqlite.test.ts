import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, teamKey } from '../api.ts'
import { programOf, resultOf, runPython, stepsIn } from '../python-library.ts'
import { lampRoutes } from '../site/lamps.ts'
import { type Site, startSite } from '../site/site.ts'

const prepared = join(import.meta.dirname, '..', '..', '.prepared', 'python-older', 'bin', 'python3')
const python = process.env.TEST_OLDER_PYTHON_PATH ?? (existsSync(prepared) ? prepared : undefined)
const skipNote = python === undefined ? ' (skipped: the older clients could not be installed)' : ''

let site: Site
/** Results by mode. */
let outcomes: Record<string, Json> = {}
beforeAll(async () => {
  site = await startSite({ routes: lampRoutes })
  if (python === undefined) return
  const input = { url: inject('deployment').urls[0] ?? '', key: teamKey(), site: site.url }
  outcomes = stepsIn(
    await runPython(python, ['-I', '-B', programOf('langchain_v1.py'), JSON.stringify(input)]),
  )
}, 120_000)
afterAll(() => site.stop())

describe.skipIf(skipNote !== '')(`LangChain's loader for Python${skipNote}`, () => {
  const loaded = (mode: string): Json[] => resultOf(outcomes, mode)

  it('loads a page, with current and older options', () => {
    expect(loaded('scrape')).toMatchObject([
      { text: expect.stringContaining('# Desk lamp'), metadata: { statusCode: 200 } },
    ])
    expect(loaded('scrape_with_older_options')[0].text).toContain('<h1')
  })

  it('loads the pages of a site', () => {
    const titles = loaded('crawl').map(({ metadata }) => metadata.title)
    expect(titles.sort()).toEqual(['Desk lamp', 'Floor lamp', 'Lamps'])
  })

  it('loads a map and extracted values', () => {
    // With this client, the loader returns the names of the response fields.
    expect(loaded('map').map((document) => document.text)).toEqual(
      expect.arrayContaining(['success', 'links']),
    )
    expect(loaded('extract')[0].text).toContain('1299')
  })
})
