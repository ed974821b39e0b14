import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import type { PartRequests } from '../page-parts/parts.ts'
import { createPageReader, type PageReader } from './page-reader.ts'

let reader: PageReader | undefined
afterEach(() => reader?.stop())
const neverAborted = new AbortController().signal

function startReader(): PageReader {
  const limits = { threads: 1, spare: 0, megabytes: 512, idleMs: 60_000, graceMs: 50, answerBytes: 64e6 }
  reader = createPageReader(limits, silentLog)
  return reader
}

async function read(reading: PageReader, html: string, changes: object, partRequests: PartRequests) {
  const url = 'https://example.test/a'
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const defaultOptions = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  const request = {
    options: { ...defaultOptions, ...changes },
    requestedParts: partRequests,
    classifyMode: 'none' as const,
    who: { team: 'a' },
  }
  const { parts } = await reading.read(page, request, neverAborted)
  if (!parts) throw new Error('the page was not read')
  return parts
}

describe('small page', () => {
  const smallPage = '<title>Stories</title><p>Story 1 tells of a voyage to the harbour of the town.</p>'
  const cases: [string, object, PartRequests][] = [
    ['selectors to include', { includeTags: ['p'] }, { markdown: true }],
    ['selectors to exclude', { excludeTags: ['p'] }, { markdown: true }],
    ['selectors of attributes', {}, { attributes: [{ selector: 'a', attribute: 'href' }] }],
    ['a schema', {}, { json: { schema: { properties: { title: { type: 'string' } } } } }],
    ['a tracked schema', {}, { trackedValues: { schema: { properties: { title: { type: 'string' } } } } }],
    ['a query', {}, { passages: [{ query: 'harbour' }] }],
  ]

  it.each(cases)('is read in a thread if the caller sent %s', async (_, options, requestedParts) => {
    const reading = startReader()
    // Without threads, only reads on the main thread succeed.
    await reading.stop()
    await expect(read(reading, smallPage, options, requestedParts)).rejects.toMatchObject({
      code: 'SCRAPE_JOB_CANCELLED',
    })
  })

  it('is read on the main thread if the caller sent none of them', async () => {
    const reading = startReader()
    await reading.stop()
    const parts = await read(reading, smallPage, {}, { markdown: true, links: true })
    expect(parts.markdown()).toContain('Story 1')
  })
})

describe('two versions of a small page', () => {
  const versions = (current: string) => ({ previous: Buffer.from('a'), current, showsDifference: true })

  it('are compared line by line in a thread', async () => {
    const reading = startReader()
    await reading.stop()
    const same = { isSame: true, difference: undefined }
    expect(await reading.compare(versions('a'), { team: 'a' }, neverAborted)).toEqual(same)
    const compared = reading.compare(versions('b'), { team: 'a' }, neverAborted)
    await expect(compared).rejects.toMatchObject({ code: 'SCRAPE_JOB_CANCELLED' })
  })
})

describe('requests of a caller', () => {
  const who = { team: 'a' }

  it('parses a schema in a thread', async () => {
    const schema = { properties: { unitPrice: { type: 'number' } } }
    const facts = await startReader().schema(schema, { who, signal: neverAborted })
    expect(facts).toMatchObject({ words: 'unit price', isEmpty: false, ignored: [] })
  })

  it('finds an invalid selector', async () => {
    const find = (selectors: string[]) =>
      startReader().invalidSelector(selectors, { who, signal: neverAborted })
    expect(await find(['a', ':nonsense('])).toBe(1)
    await reader?.stop()
    expect(await find(['a', 'p:not(.b)'])).toBeUndefined()
  })

  it('rejects a schema with the name of the bound', async () => {
    const schema = { allOf: Array.from({ length: 10_001 }, () => ({})) }
    await expect(startReader().schema(schema, { who, signal: neverAborted })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      detail: { bound: 'MAX_SCHEMA_NODES' },
    })
  })

  it('validates a language model response', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: false }
    const check = (text: string) => startReader().answer({ text, schema, isStrict: false }, who, neverAborted)
    expect(await check('{"a": 1}')).toEqual({ ok: true, json: { a: 1 } })
    await reader?.stop()
    expect(await check('{"b": 1}')).toMatchObject({ ok: false, fault: expect.stringContaining('schema') })
  })
})

/** Code whose cost depends on caller or model input, with the files that may import it because they run in a thread. */
const threadOnlyModules: Record<string, string[]> = {
  'extraction/schema/read-schema.ts': ['extraction/read-json.ts', 'extraction/workers/requests/all.ts'],
  'content/select.ts': [
    'content/select-content.ts',
    'extraction/page-parts/parts/attributes.ts',
    'extraction/workers/requests/all.ts',
  ],
  'extraction/merge/merge-pages.ts': ['extraction/workers/requests/all.ts'],
  'extraction/grounding/ground.ts': ['extraction/workers/requests/all.ts'],
  'extraction/read-json.ts': [
    'extraction/page-parts/parts/page.ts',
    'extraction/page-parts/tracked-values.ts',
  ],
  // Used for tool arguments, whose schemas are our own, and in tests without threads.
  'platform/json/schema-check.ts': [
    'platform/check-answer-text.ts',
    'platform/language-model/check-answers.ts',
  ],
}

describe('code that is expensive for hostile input', () => {
  const folder = new URL('../..', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )

  it.each(Object.entries(threadOnlyModules))('is imported only by allowed files: %s', (path, importers) => {
    const name = path.split('/').at(-1) ?? ''
    const found = files.filter((file) => {
      const lines = readFileSync(new URL(file, folder), 'utf8').split('\n')
      return lines.some((line) => isImport(line) && resolves(line, file, name, path))
    })
    expect(found.sort()).toEqual(importers)
  })

  // The main thread loads this file for the time limits, so it must import the code of the requests on first use.
  it('is not imported with the table of requests', () => {
    const file = 'extraction/workers/requests/all.ts'
    const lines = readFileSync(new URL(file, folder), 'utf8').split('\n')
    const imports = lines.filter((line) => isImport(line) && !line.includes("import('"))
    for (const path of Object.keys(threadOnlyModules))
      expect(imports.some((line) => resolves(line, file, path.split('/').at(-1) ?? '', path))).toBe(false)
  })

  const isImport = (line: string) => /\bfrom '|import\('/.test(line) && !/^import type /.test(line)
  const resolves = (line: string, file: string, name: string, path: string) => {
    const target = /'([^']+)'/.exec(line.slice(line.search(/from '|import\('/)))?.[1] ?? ''
    return (
      target.endsWith(`/${name}`) &&
      new URL(target, new URL(file, folder)).href === new URL(path, folder).href
    )
  }
})
