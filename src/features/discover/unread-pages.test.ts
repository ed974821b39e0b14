import { describe, expect, it } from 'vitest'
import { unreadPages } from './unread-pages.ts'

describe('unread pages', () => {
  it('are handed out once', () => {
    const unread = unreadPages()
    unread.add('page')
    expect(unread.handOut('page')).toBe(true)
    expect(unread.handOut('page')).toBe(false)
  })

  it('are not handed out again when they are found again', () => {
    const unread = unreadPages()
    unread.add('page')
    unread.handOut('page')
    unread.add('page')
    expect(unread.handOut('page')).toBe(false)
  })

  it('are none that nobody has found', () => {
    expect(unreadPages().handOut('page')).toBe(false)
  })
})
