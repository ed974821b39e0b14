import { describe, expect, it } from 'vitest'
import { contentCauses } from './causes/content.ts'
import { chooseJob, type RecentJob } from './choose.ts'
import { contentOf, isBetter, labelsOf, noContent, phrasesOf } from './compare-content.ts'
import type { SupportCase } from './support-case.ts'

const job = (changes: Partial<RecentJob>): RecentJob => ({
  ...{ id: '1', kind: 'scrape', state: 'completed', target: 'https://tide.example/', createdAt: 0 },
  ...changes,
})

describe('chooseJob', () => {
  it('returns the job whose URL the question contains', () => {
    const jobs = [job({ id: 'new', target: 'https://other.example/' }), job({ id: 'named' })]
    expect(chooseJob('Why is https://tide.example/ empty?', jobs, 0)?.id).toBe('named')
  })

  it('returns the last failed job of the kind in the question', () => {
    const jobs = [
      job({ id: 'fine' }),
      job({ id: 'scrape', state: 'failed' }),
      job({ id: 'crawl', kind: 'crawl', state: 'failed' }),
    ]
    expect(chooseJob('My crawl fails.', jobs, 0)?.id).toBe('crawl')
    expect(chooseJob('My scrape fails.', jobs, 0)?.id).toBe('scrape')
  })

  it('prefers a failed job over another page of a site if the question contains a page of it', () => {
    const jobs = [
      job({ id: 'other', target: 'https://tide.example/other' }),
      job({ id: 'kept-secret', target: null, state: 'failed' }),
    ]
    expect(chooseJob('404 for https://tide.example/ebb, why?', jobs, 0)?.id).toBe('kept-secret')
  })

  it('returns a job of a host that the question contains', () => {
    expect(chooseJob('tide.example please', [job({})], 0)?.id).toBe('1')
  })

  it('returns undefined if the question only asks for information', () => {
    expect(chooseJob('How do I use webhooks?', [job({ state: 'failed' })], 0)).toBeUndefined()
  })
})

const noExpectation = { phrases: [], topics: [] }

describe('isBetter', () => {
  it('prefers a page with the quoted phrase', () => {
    const phrases = phrasesOf('The words "spring tide" are missing, with waitFor: "5".')
    expect(phrases).toContain('spring tide')
    const [without, withPhrase] = ['a page of words '.repeat(50), 'Spring tide and no more.'].map((text) =>
      contentOf(text, { phrases, topics: [] }),
    )
    expect(isBetter(withPhrase ?? noContent, without ?? noContent, { widens: false })).toBe(true)
    expect(isBetter(without ?? noContent, withPhrase ?? noContent, { widens: false })).toBe(false)
  })

  it('requires more words, and many more if the fix only includes more page parts', () => {
    const [shorter, longer] = [
      contentOf('word '.repeat(100), noExpectation),
      contentOf('word '.repeat(145), noExpectation),
    ]
    expect(isBetter(longer, shorter, { widens: false })).toBe(true)
    expect(isBetter(longer, shorter, { widens: true })).toBe(false)
    expect(isBetter(shorter, shorter, { widens: false })).toBe(false)
  })

  it('ignores the label of a button that has to be pressed', () => {
    const words = 'The depth appears when I click on the tab "Soundings", not "high water".'
    expect(labelsOf(words)).toEqual(['Soundings'])
    expect(phrasesOf(words)).toEqual(['high water'])
  })

  it('prefers more links if the crawl did not get beyond its start', () => {
    const [withoutLinks, withLinks] = [
      contentOf('Tides', noExpectation),
      contentOf('Tides [ebb](/ebb)', noExpectation),
    ]
    expect(isBetter(withLinks, withoutLinks, { widens: false, seeksLinks: true })).toBe(true)
    expect(isBetter(withLinks, withoutLinks, { widens: false })).toBe(false)
  })

  it('ignores the URLs of links', () => {
    expect(contentOf('[tide](https://a.example/b-c-d-e-f) comes', noExpectation).words).toBe(2)
  })

  it('is fast for unclosed links and long whitespace', () => {
    expect(contentOf('](tide'.repeat(300_000), noExpectation).words).toBeGreaterThan(0)
    const blanks = 'press the button with id'.concat(' '.repeat(200_000), '!')
    expect(contentCauses['late-content']?.(caseOf(blanks))?.fixes).not.toHaveLength(0)
  })
})

const page: NonNullable<SupportCase['job']> = {
  ...{ id: '1', kind: 'scrape', state: 'completed', target: '', parentId: null, attempts: 1, createdAt: '' },
  ...{ startedAt: null, finishedAt: '', credits: 1, error: null, steps: [], pages: null, deliveries: [] },
}

const caseOf = (words: string): SupportCase => ({
  ...{
    job: page,
    page,
    teamId: 'team',
    questionText: words,
    statements: words,
    children: [],
    request: {},
    pageRequest: {},
  },
  ...{ targets: [], sessions: [], document: undefined, now: 0, allowsActions: false },
  account: {
    ...{ remainingCredits: null, running: 0, waiting: 0, maxConcurrency: 8 },
    ...{ callsThisMinute: 0, callsPerMinute: 600 },
  },
  capabilities: [],
})
