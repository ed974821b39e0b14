import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inlineValueWork } from '../../../test/value-work.ts'
import { readPage } from '../../content/content.ts'
import { type ChangeHistory, type Comparison, createUnifiedDiff } from '../../content/diff.ts'
import { buildParts, pageParts } from '../page-parts/parts.ts'
import { changeTracking } from './change-tracking.ts'
import { formatRequest } from './format.ts'
import { conflictOf, formatEntry } from './index.ts'

const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const page = {
  requestedUrl: 'https://site.example/',
  url: 'https://site.example/',
  status: 200,
  headers: { 'content-type': 'text/html' },
  bytes: Buffer.from('<main><p>one</p><p>two</p></main>'),
  fetchedAt: 0,
}
const request = formatRequest(changeTracking)
const parts = pageParts(await buildParts(readPage(page, options), page.url, { tracked: true }))

async function render(compared: Comparison | { reason: string } | undefined, requestOptions: object = {}) {
  const compare: ChangeHistory['compare'] = async () => compared ?? { reason: '' }
  const context = {
    page,
    isFile: false,
    storeFile: async () => '',
    signal: new AbortController().signal,
    warn: () => undefined,
    waive: () => undefined,
    history: compared && { compare },
    model: undefined,
    sentences: undefined,
    work: inlineValueWork,
    audio: async () => ({ reason: '' }),
  }
  const { type: _, ...parsed } = request.parse({ type: 'changeTracking', ...requestOptions })
  const rendered = await changeTracking.render(parts, parsed, context)
  if (!('unavailable' in rendered)) z.strictObject(changeTracking.output).parse(rendered)
  return rendered
}

const previousAt = Date.UTC(2026, 0, 2)
const difference = createUnifiedDiff('one\n\n2', 'one\n\ntwo')

describe('changeTracking request', () => {
  it('has no mode and no tag by default', () => {
    expect(request.parse({ type: 'changeTracking' })).toEqual({
      type: 'changeTracking',
      modes: [],
      tag: null,
    })
  })

  it.each([{ schema: { type: 'object' } }, { modes: ['git-diff'], prompt: 'What is new?' }])(
    'is rejected if it has a schema or prompt without mode json: %j',
    (requestOptions) => {
      const result = request.safeParse({ type: 'changeTracking', ...requestOptions })
      expect(result.error?.issues.map((issue) => issue.message)).toEqual([
        expect.stringContaining('add "json" to modes'),
      ])
    },
  )

  it.each([{ tag: '' }, { tag: 'x'.repeat(129) }, { modes: ['colour'] }, { depth: 1 }])(
    'is rejected if an option is invalid: %j',
    (requestOptions) => {
      expect(request.safeParse({ type: 'changeTracking', ...requestOptions }).success).toBe(false)
    },
  )

  it('requires the format markdown', () => {
    const conflicts = (...names: string[]) => conflictOf(names.map((name) => formatEntry.parse(name)))
    expect(conflicts('changeTracking')).toEqual([
      'changeTracking needs the format markdown in the same list.',
    ])
    expect(conflicts('changeTracking', 'markdown')).toEqual([])
    expect(conflicts('html')).toEqual([])
  })
})

describe('changeTracking result', () => {
  it('has its keys in a fixed order', async () => {
    const first = await render(
      { changeStatus: 'new', previousAt: undefined, difference: undefined },
      { modes: ['git-diff'] },
    )
    expect(JSON.stringify(first)).toBe(
      '{"changeTracking":{"previousScrapeAt":null,"changeStatus":"new","visibility":"visible"}}',
    )
  })

  it('contains the difference as text and as JSON with mode git-diff', async () => {
    const changed = await render({ changeStatus: 'changed', previousAt, difference }, { modes: ['git-diff'] })
    expect(changed).toMatchObject({
      changeTracking: {
        previousScrapeAt: '2026-01-02T00:00:00.000Z',
        changeStatus: 'changed',
        diff: '--- previous\n+++ current\n@@ -1,3 +1,3 @@\n one\n \n-2\n+two\n',
        diffJson: { files: [{ from: 'previous', to: 'current' }] },
      },
    })
  })

  it.each([
    ['no mode was asked for', { changeStatus: 'changed', previousAt, difference: undefined }, {}],
    ['nothing changed', { changeStatus: 'same', previousAt, difference: undefined }, { modes: ['git-diff'] }],
    [
      'the page is gone',
      { changeStatus: 'removed', previousAt, difference: undefined },
      { modes: ['git-diff'] },
    ],
  ] as const)('contains no difference if %s', async (_, compared, requestOptions) => {
    expect(JSON.stringify(await render(compared, requestOptions))).not.toContain('diff')
  })

  it('requests the difference with mode git-diff', async () => {
    const requestOptions: unknown[] = []
    const history: ChangeHistory = {
      async compare(current, how) {
        requestOptions.push(current, how)
        return { reason: '' }
      },
    }
    const context = {
      page,
      isFile: false,
      storeFile: async () => '',
      signal: new AbortController().signal,
      warn: () => undefined,
      waive: () => undefined,
      history,
      model: undefined,
      sentences: undefined,
      work: inlineValueWork,
    }
    const { type: _, ...parsed } = request.parse({ type: 'changeTracking', modes: ['git-diff'], tag: 'a' })
    await changeTracking.render(parts, parsed, { ...context, audio: async () => ({ reason: '' }) })
    expect(requestOptions).toEqual(['one\n\ntwo', { tag: 'a', showsDifference: true, values: undefined }])
  })

  it('is unavailable with a reason if the comparison fails or storage is not allowed', async () => {
    expect(await render({ reason: 'the site answered 503.' })).toEqual({
      unavailable: 'changeTracking: the site answered 503.',
    })
    expect(await render(undefined)).toEqual({
      unavailable: 'changeTracking: nothing of this call may be stored.',
    })
  })
})
