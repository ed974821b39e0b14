import { describe, expect, it } from 'vitest'
import { createKnownUrls, createPendingPages } from './page-list.ts'

const pageUrl = (path: string | number) => `https://a.example/${path}`

describe('createKnownUrls', () => {
  it('reports each URL as new once, from links and from files', () => {
    const known = createKnownUrls()
    expect(known.isNew(pageUrl('page'), { isLink: false })).toBe(true)
    expect(known.isNew(pageUrl('page'), { isLink: true })).toBe(false)
    expect(known.isNew(pageUrl('page?sort=up'), { isLink: true })).toBe(true)
    expect(known.notes()).toEqual([])
  })

  it('accepts links after 200,000 URLs from files', () => {
    const known = createKnownUrls()
    for (let index = 0; index < 200_000; index += 1) known.isNew(pageUrl(index), { isLink: false })
    expect(known.notes()).toEqual([])
    expect(known.isNew(pageUrl('named'), { isLink: false })).toBe(false)
    expect(known.isNew(pageUrl('linked'), { isLink: true })).toBe(true)
    expect(known.notes()).toEqual([expect.stringContaining('more than 200000 URLs')])
  })
})

describe('createPendingPages', () => {
  it('returns true once for an added page', () => {
    const pendingPages = createPendingPages()
    pendingPages.add('page')
    expect(pendingPages.take('page')).toBe(true)
    expect(pendingPages.take('page')).toBe(false)
  })

  it('returns false for a page that is added again after it was read', () => {
    const pendingPages = createPendingPages()
    pendingPages.add('page')
    pendingPages.take('page')
    pendingPages.add('page')
    expect(pendingPages.take('page')).toBe(false)
  })

  it('returns false for a page that was never added', () => {
    expect(createPendingPages().take('page')).toBe(false)
  })
})
