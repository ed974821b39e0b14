import { describe, expect, it } from 'vitest'
import type { JobTrace } from '../job-trace.ts'
import { choosePage, namedIn } from './choose.ts'

const one = (target: string, changes: Partial<JobTrace> = {}): JobTrace => ({
  ...{ id: target, kind: 'scrape', state: 'completed', target, parentId: '1', attempts: 1, createdAt: '' },
  ...{ startedAt: null, finishedAt: '', credits: 1, error: null, steps: [], pages: null, deliveries: [] },
  ...changes,
})

const written = (characters: number): JobTrace['steps'] => [
  { step: 'write', at: 1, ms: 1, markdownCharacters: characters, warnings: [] },
]
const failure = { code: 'SCRAPE_TIMEOUT', error: '', detail: {} }
const batch = one('https://a.example/', { kind: 'batch_scrape', parentId: null })

describe('the page that a question about many is about', () => {
  it('is the one that failed', () => {
    const pages = [one('https://a.example/1'), one('https://a.example/2', { error: failure })]
    expect(choosePage('Why?', { job: batch, pages })?.target).toBe('https://a.example/2')
  })

  it('is the one with the least text where all went well', () => {
    const pages = [
      one('https://a.example/1', { steps: written(9000) }),
      one('https://a.example/2', { steps: written(3) }),
    ]
    expect(choosePage('Why?', { job: batch, pages })?.target).toBe('https://a.example/2')
  })

  it('is one that is named, of those that look alike', () => {
    const pages = [one('https://a.example/salt'), one('https://a.example/pepper.html')]
    expect(choosePage('Pepper is wrong.', { job: batch, pages })?.target).toContain('pepper')
  })

  it('is hardly the start of a crawl', () => {
    const crawl = { ...batch, kind: 'crawl' }
    const pages = [
      one('https://a.example/', { steps: written(100) }),
      one('https://a.example/b', { steps: written(900) }),
    ]
    expect(choosePage('Why?', { job: crawl, pages })?.target).toBe('https://a.example/b')
  })
})

describe('addresses that a question names', () => {
  it('are none where it fits all of them', () => {
    const targets = ['https://a.example/shoe-1', 'https://a.example/shoe-2']
    expect(namedIn('No shoe is there.', targets).size).toBe(0)
  })
})
