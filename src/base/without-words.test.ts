import { describe, expect, it } from 'vitest'
import { AppError } from './errors.ts'
import { withoutWords } from './without-words.ts'

describe('an error without words', () => {
  it('says where it happened, and nothing of what was said there', () => {
    const said = new TypeError('http://secret.example/ failed\n    at secret words (in a page)')
    const { cause } = withoutWords(new AppError('INTERNAL', {}, { cause: said }))
    expect(cause).toMatchObject({ name: 'TypeError' })
    const text = (cause as Error).message + (cause as Error).stack
    expect(text).not.toContain('secret')
    expect(text).toContain('without-words.test.ts')
  })

  it('says nothing of a cause that is no error', () => {
    const { cause } = withoutWords(new AppError('INTERNAL', {}, { cause: 'secret' }))
    expect(JSON.stringify([cause, (cause as Error).stack])).not.toContain('secret')
  })
})
