import { describe, expect, it } from 'vitest'
import { createKnownUrls, createPendingPages } from './page-list.ts'

const address = (path: string | number) => `https://a.example/${path}`

describe('known addresses', () => {
  it('are new once, however they were found', () => {
    const known = createKnownUrls()
    expect(known.isNew(address('page'), { isLink: false })).toBe(true)
    expect(known.isNew(address('page'), { isLink: true })).toBe(false)
    expect(known.isNew(address('page?sort=up'), { isLink: true })).toBe(true)
    expect(known.notes()).toEqual([])
  })

  it('leave room for links, however many the files of a site name', () => {
    const known = createKnownUrls()
    for (let index = 0; index < 200_000; index += 1) known.isNew(address(index), { isLink: false })
    expect(known.notes()).toEqual([])
    expect(known.isNew(address('named'), { isLink: false })).toBe(false)
    expect(known.isNew(address('linked'), { isLink: true })).toBe(true)
    expect(known.notes()).toEqual([expect.stringContaining('more than 200000 URLs')])
  })
})

describe('unread pages', () => {
  it('are handed out once', () => {
    const unread = createPendingPages()
    unread.add('page')
    expect(unread.handOut('page')).toBe(true)
    expect(unread.handOut('page')).toBe(false)
  })

  it('are not handed out again when they are found again', () => {
    const unread = createPendingPages()
    unread.add('page')
    unread.handOut('page')
    unread.add('page')
    expect(unread.handOut('page')).toBe(false)
  })

  it('are none that nobody has found', () => {
    expect(createPendingPages().handOut('page')).toBe(false)
  })
})
