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

describe.each(['developed', 'held-out'])('judgement of the %s pages', (part) => {
  it.each(casesIn(part))('holds for $name', ({ expected, note, page }) => {
    const judgement = classifyPage(page, readPage(page, options))
    const notes = judgement.kind === 'good' ? judgement.notes.join('\n') : undefined
    expect({ judgement, kind: judgement.kind }).toMatchObject({ kind: expected })
    if (note) expect(notes).toMatch(note)
    else expect(notes ?? '').toBe('')
  })
})

describe('a judgement that the answer alone allows', () => {
  it.each([
    ['a refusal', { headers: { 'content-type': 'text/html', 'cf-mitigated': 'challenge' } }],
    ['a place that asks for consent', { url: 'https://consent.example.test/' }],
  ])('leaves the page unparsed: %s', (_, changes) => {
    const url = 'https://example.test/'
    const headers = { 'content-type': 'text/html' }
    const answer = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from('<p>'), fetchedAt: 0 }
    const page: Page = { ...answer, ...changes }
    const unread = () => expect.unreachable('the page was parsed')
    expect(classifyPage(page, { ...readPage(page, options), tree: unread }).kind).not.toBe('good')
  })
})

function casesIn(part: string): Case[] {
  return readdirSync(join(corpus, part))
    .toSorted()
    .map((file) => caseOf(file.replace(/\.http$/, ''), readFileSync(join(corpus, part, file), 'utf8')))
}

/** A page in the corpus is an answer as it is sent, after a few lines of our own. */
function caseOf(name: string, file: string): Case {
  const border = file.indexOf('\n\n')
  const fields = new Map(
    file
      .slice(0, border)
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const take = (field: string) => {
    const value = fields.get(field)
    fields.delete(field)
    return value
  }
  const body = file.slice(border + 2).replace(/\{\{prose (\d+)\}\}/g, (_, length) => prose(Number(length)))
  const url = take('url') ?? ''
  const note = take('note')
  return {
    name,
    expected: take('expect') ?? '',
    note: note === undefined ? undefined : new RegExp(note, 'i'),
    page: {
      requestedUrl: take('requested') ?? url,
      url,
      status: Number(take('status')),
      bytes: new TextEncoder().encode(body),
      ...(take('rendered') ? { text: body } : {}),
      headers: Object.fromEntries(fields),
      fetchedAt: 0,
    },
  }
}

function prose(length: number): string {
  const sentence = 'The river rose during the night and the ferry stayed on the far side until noon. '
  return `<p>${sentence.repeat(Math.ceil(length / sentence.length))}</p>`
}
