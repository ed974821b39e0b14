import { describe, expect, it } from 'vitest'
import { chooseJob, type RecentJob } from './choose-job.ts'
import { contentOf, isBetter, noContent, phrasesOf } from './judge-page.ts'

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

  it('is read without the addresses of its links', () => {
    expect(contentOf('[tide](https://a.example/b-c-d-e-f) comes', nothing).words).toBe(2)
  })
})
