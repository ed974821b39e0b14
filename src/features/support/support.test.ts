import { describe, expect, it } from 'vitest'
import { contentCauses } from './causes/content.ts'
import { chooseJob, type RecentJob } from './choose.ts'
import { contentOf, isBetter, labelsOf, noContent, phrasesOf } from './compare-content.ts'
import type { SupportCase } from './support-case.ts'

const job = (changes: Partial<RecentJob>): RecentJob => ({
  ...{ id: '1', kind: 'scrape', state: 'completed', target: 'https://tide.example/', createdAt: 0 },
  ...changes,
})

describe('the job that a question is about', () => {
  it('is the one whose address is named', () => {
    const jobs = [job({ id: 'new', target: 'https://other.example/' }), job({ id: 'named' })]
    expect(chooseJob('Why is https://tide.example/ empty?', jobs, 0)?.id).toBe('named')
  })

  it('is the last that failed, of the kind that is spoken of', () => {
    const jobs = [
      job({ id: 'fine' }),
      job({ id: 'scrape', state: 'failed' }),
      job({ id: 'crawl', kind: 'crawl', state: 'failed' }),
    ]
    expect(chooseJob('My crawl fails.', jobs, 0)?.id).toBe('crawl')
    expect(chooseJob('My scrape fails.', jobs, 0)?.id).toBe('scrape')
  })

  it('is a failed one rather than another page of a site whose page is named', () => {
    const jobs = [
      job({ id: 'other', target: 'https://tide.example/other' }),
      job({ id: 'kept-secret', target: null, state: 'failed' }),
    ]
    expect(chooseJob('404 for https://tide.example/ebb, why?', jobs, 0)?.id).toBe('kept-secret')
  })

  it('is one of a host that is named, whatever is said of it', () => {
    expect(chooseJob('tide.example please', [job({})], 0)?.id).toBe('1')
  })

  it('is none where somebody only wants to know something', () => {
    expect(chooseJob('How do I use webhooks?', [job({ state: 'failed' })], 0)).toBeUndefined()
  })
})

const nothing = { phrases: [], topics: [] }

describe('a page', () => {
  it('is better if it has what the question quotes', () => {
    const phrases = phrasesOf('The words "spring tide" are missing, with waitFor: "5".')
    expect(phrases).toContain('spring tide')
    const [without, having] = ['a page of words '.repeat(50), 'Spring tide and no more.'].map((text) =>
      contentOf(text, { phrases, topics: [] }),
    )
    expect(isBetter(having ?? noContent, without ?? noContent, { widens: false })).toBe(true)
    expect(isBetter(without ?? noContent, having ?? noContent, { widens: false })).toBe(false)
  })

  it('is better if it has clearly more words, and much more where the choice of parts was widened', () => {
    const [some, more] = [contentOf('word '.repeat(100), nothing), contentOf('word '.repeat(145), nothing)]
    expect(isBetter(more, some, { widens: false })).toBe(true)
    expect(isBetter(more, some, { widens: true })).toBe(false)
    expect(isBetter(some, some, { widens: false })).toBe(false)
  })

  it('is not better for the name of a button that has to be pressed', () => {
    const words = 'The depth appears when I click on the tab "Soundings", not "high water".'
    expect(labelsOf(words)).toEqual(['Soundings'])
    expect(phrasesOf(words)).toEqual(['high water'])
  })

  it('is better with more links where a crawl came no further', () => {
    const [bare, linked] = [contentOf('Tides', nothing), contentOf('Tides [ebb](/ebb)', nothing)]
    expect(isBetter(linked, bare, { widens: false, seeksLinks: true })).toBe(true)
    expect(isBetter(linked, bare, { widens: false })).toBe(false)
  })

  it('is read without the addresses of its links', () => {
    expect(contentOf('[tide](https://a.example/b-c-d-e-f) comes', nothing).words).toBe(2)
  })

  it('is read in time, whatever it begins and does not end', () => {
    expect(contentOf('](tide'.repeat(300_000), nothing).words).toBeGreaterThan(0)
    const blanks = 'press the button with id'.concat(' '.repeat(200_000), '!')
    expect(contentCauses['late-content']?.(asked(blanks))?.fixes).not.toHaveLength(0)
  })
})

const page: NonNullable<SupportCase['job']> = {
  ...{ id: '1', kind: 'scrape', state: 'completed', target: '', parentId: null, attempts: 1, createdAt: '' },
  ...{ startedAt: null, finishedAt: '', credits: 1, error: null, steps: [], pages: null, deliveries: [] },
}

const asked = (words: string): SupportCase => ({
  ...{ job: page, page, teamId: 'team', words, said: words, children: [], request: {}, pageRequest: {} },
  ...{ targets: [], sessions: [], document: undefined, now: 0, allowsActions: false },
  account: {
    ...{ remainingCredits: null, running: 0, waiting: 0, maxConcurrency: 8 },
    ...{ callsThisMinute: 0, callsPerMinute: 600 },
  },
  capabilities: [],
})
