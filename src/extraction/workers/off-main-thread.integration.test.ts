import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import type { PartRequests } from '../page-parts/parts.ts'
import { createPageReader, type PageReader } from './page-reader.ts'

let reader: PageReader | undefined
afterEach(() => reader?.stop())
const alive = new AbortController().signal

function start(): PageReader {
  const limits = { threads: 1, spare: 0, megabytes: 512, idleMs: 60_000, graceMs: 50, answerBytes: 64e6 }
  reader = createPageReader(limits, silentLog)
  return reader
}

async function read(reading: PageReader, html: string, changes: object, wishes: PartRequests) {
  const url = 'https://example.test/a'
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const usual = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  const request = { options: { ...usual, ...changes }, wishes, judging: 'none' as const, who: { team: 'a' } }
  const { parts } = await reading.read(page, request, alive)
  if (!parts) throw new Error('the page was not read')
  return parts
}

describe('a small page', () => {
  const small = '<title>Stories</title><p>Story 1 tells of a voyage to the harbour of the town.</p>'
  const wished: [string, object, PartRequests][] = [
    ['selectors to include', { includeTags: ['p'] }, { markdown: true }],
    ['selectors to exclude', { excludeTags: ['p'] }, { markdown: true }],
    ['selectors of attributes', {}, { attributes: [{ selector: 'a', attribute: 'href' }] }],
    ['a schema', {}, { json: { schema: { properties: { title: { type: 'string' } } } } }],
    ['a tracked schema', {}, { trackedValues: { schema: { properties: { title: { type: 'string' } } } } }],
    ['a query', {}, { passages: [{ query: 'harbour' }] }],
  ]

  it.each(wished)('is read in a thread if the caller sent %s', async (_, options, wishes) => {
    const reading = start()
    // Without threads, only what is read on the main thread succeeds.
    await reading.stop()
    await expect(read(reading, small, options, wishes)).rejects.toMatchObject({
      code: 'SCRAPE_JOB_CANCELLED',
    })
  })

  it('is read without a thread if the caller sent none of them', async () => {
    const reading = start()
    await reading.stop()
    const parts = await read(reading, small, {}, { markdown: true, links: true })
    expect(parts.markdown()).toContain('Story 1')
  })
})

describe('two versions of a small page', () => {
  const versions = (current: string) => ({ previous: Buffer.from('a'), current, showsDifference: true })

  it('are compared line by line in a thread', async () => {
    const reading = start()
    await reading.stop()
    const same = { isSame: true, difference: undefined }
    expect(await reading.compare(versions('a'), { team: 'a' }, alive)).toEqual(same)
    const compared = reading.compare(versions('b'), { team: 'a' }, alive)
    await expect(compared).rejects.toMatchObject({ code: 'SCRAPE_JOB_CANCELLED' })
  })
})

describe('work on behalf of a caller', () => {
  const who = { team: 'a' }

  it('reads a schema in a thread', async () => {
    const schema = { properties: { unitPrice: { type: 'number' } } }
    const facts = await start().schema(schema, { who, signal: alive })
    expect(facts).toMatchObject({ words: 'unit price', asksForNothing: false, ignored: [] })
  })

  it('finds a selector that is none', async () => {
    const find = (selectors: string[]) => start().invalidSelector(selectors, { who, signal: alive })
    expect(await find(['a', ':nonsense('])).toBe(1)
    await reader?.stop()
    expect(await find(['a', 'p:not(.b)'])).toBeUndefined()
  })

  it('refuses a schema by the name of the bound', async () => {
    const schema = { allOf: Array.from({ length: 10_001 }, () => ({})) }
    await expect(start().schema(schema, { who, signal: alive })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      detail: { bound: 'MAX_SCHEMA_NODES' },
    })
  })

  it('checks an answer of a language model', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: false }
    const check = (text: string) => start().answer({ text, schema, isStrict: false }, who, alive)
    expect(await check('{"a": 1}')).toEqual({ ok: true, json: { a: 1 } })
    await reader?.stop()
    expect(await check('{"b": 1}')).toMatchObject({ ok: false, fault: expect.stringContaining('schema') })
  })
})

/** Code whose work grows with what a caller or a model sent, and the files that run in a thread and may import it. */
const inThreadsOnly: Record<string, string[]> = {
  'extraction/schema/read-schema.ts': [
    'extraction/read-json.ts',
    'extraction/workers/requests/merge.ts',
    'extraction/workers/requests/schema.ts',
  ],
  'content/select.ts': [
    'content/select-content.ts',
    'extraction/page-parts/parts/attributes.ts',
    'extraction/workers/requests/selectors.ts',
  ],
  'extraction/merge/merge-pages.ts': ['extraction/workers/requests/merge.ts'],
  'extraction/grounding/ground.ts': ['extraction/workers/requests/ground.ts'],
  'extraction/read-json.ts': [
    'extraction/page-parts/parts/values.ts',
    'extraction/page-parts/tracked-values.ts',
  ],
  // Checks the arguments of tools, whose schemas are ours; and what is compiled in tests, which have no threads.
  'platform/json/schema-check.ts': [
    'platform/check-answer-text.ts',
    'platform/language-model/check-answers.ts',
  ],
}

describe('code that is expensive with hostile input', () => {
  const folder = new URL('../..', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )

  it.each(Object.entries(inThreadsOnly))('is imported by no other file: %s', (path, importers) => {
    const name = path.split('/').at(-1) ?? ''
    const found = files.filter((file) => {
      const lines = readFileSync(new URL(file, folder), 'utf8').split('\n')
      return lines.some((line) => isImport(line) && resolves(line, file, name, path))
    })
    expect(found.sort()).toEqual(importers)
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
