import { describe, expect, it } from 'vitest'
import { packBody, readBody } from './body.ts'

describe('the text of a document', () => {
  it.each(['', 'A boat', '(µ)', '東京の天気'.repeat(500), 'tide '.repeat(5000)])('%#', async (text) => {
    expect(await readBody(packBody(text))).toBe(text)
  })

  it('is packed where that is shorter', () => {
    expect(packBody('tide '.repeat(5000)).length).toBeLessThan(200)
    expect(packBody('A boat').length).toBe(6)
  })
})
