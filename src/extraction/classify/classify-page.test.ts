import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPage } from '../../content/content.ts'
import type { Page } from '../../content/page.ts'
import { classifyPage } from './classify-page.ts'

const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const corpus = join(import.meta.dirname, '../../../test/corpus/judge')

interface Case {
  name: string
  expected: string
  note: RegExp | undefined
  page: Page
}

describe.each(['developed', 'held-out'])('classification of the %s pages', (part) => {
  it.each(casesIn(part))('matches for $name', ({ expected, note, page }) => {
    const classification = classifyPage(page, readPage(page, options))
    const notes = classification.kind === 'good' ? classification.notes.join('\n') : undefined
    expect({ judgement: classification, kind: classification.kind }).toMatchObject({ kind: expected })
    if (note) expect(notes).toMatch(note)
    else expect(notes ?? '').toBe('')
  })
})

describe('classification by status and headers', () => {
  it.each([
    ['a refusal', { headers: { 'content-type': 'text/html', 'cf-mitigated': 'challenge' } }],
    ['a place that asks for consent', { url: 'https://consent.example.test/' }],
  ])('does not parse the page: %s', (_, changes) => {
    const url = 'https://example.test/'
    const headers = { 'content-type': 'text/html' }
    const response = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from('<p>'), fetchedAt: 0 }
    const page: Page = { ...response, ...changes }
    const failIfParsed = () => expect.unreachable('the page was parsed')
    expect(classifyPage(page, { ...readPage(page, options), tree: failIfParsed }).kind).not.toBe('good')
  })
})

function casesIn(part: string): Case[] {
  return readdirSync(join(corpus, part))
    .toSorted()
    .map((file) => caseOf(file.replace(/\.http$/, ''), readFileSync(join(corpus, part, file), 'utf8')))
}

/** Parses a corpus file: a few header lines with the expected result, then the body of the response. */
function caseOf(name: string, file: string): Case {
  const headerEnd = file.indexOf('\n\n')
  const fields = new Map(
    file
      .slice(0, headerEnd)
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const takeField = (field: string) => {
    const value = fields.get(field)
    fields.delete(field)
    return value
  }
  const body = file.slice(headerEnd + 2).replace(/\{\{prose (\d+)\}\}/g, (_, length) => prose(Number(length)))
  const url = takeField('url') ?? ''
  const note = takeField('note')
  return {
    name,
    expected: takeField('expect') ?? '',
    note: note === undefined ? undefined : new RegExp(note, 'i'),
    page: {
      requestedUrl: takeField('requested') ?? url,
      url,
      status: Number(takeField('status')),
      bytes: new TextEncoder().encode(body),
      ...(takeField('rendered') ? { text: body } : {}),
      headers: Object.fromEntries(fields),
      fetchedAt: 0,
    },
  }
}

function prose(length: number): string {
  const sentence = 'The river rose during the night and the ferry stayed on the far side until noon. '
  return `<p>${sentence.repeat(Math.ceil(length / sentence.length))}</p>`
}
