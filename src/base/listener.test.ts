import { describe, expect, it } from 'vitest'
import { listener } from './listener.ts'

describe('a listener', () => {
  it('hands what its work throws to the handler of failures', () => {
    const failures: unknown[] = []
    const hear = listener(
      (text: string) => JSON.parse(text),
      (cause, text) => failures.push([(cause as Error).name, text]),
    )
    hear('{}')
    hear('{')
    expect(failures).toEqual([['SyntaxError', '{']])
  })

  it('does so for what its promise is rejected with', async () => {
    const failed = Promise.withResolvers<unknown>()
    listener(async () => {
      throw new Error('later')
    }, failed.resolve)()
    expect(await failed.promise).toMatchObject({ message: 'later' })
  })
})
