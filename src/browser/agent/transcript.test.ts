import { describe, expect, it } from 'vitest'
import { createTranscript } from './transcript.ts'

const call = (id: string) => ({ id, name: 'read', arguments: {} })

describe('the transcript of a task', () => {
  it('tells the latest page alone', () => {
    const transcript = createTranscript()
    transcript.answer(call('1'), 'Clicked.', 'the first page')
    transcript.answer(call('2'), 'Clicked.', 'the second page')
    transcript.answer(call('3'), 'Read.')
    const texts = transcript.messages().map(({ text }) => text)
    expect(texts).toEqual(['Clicked.\n(an older page, left out)', 'Clicked.\nthe second page', 'Read.'])
  })

  it('leaves out what is long ago when it grows too long', () => {
    const transcript = createTranscript()
    for (const id of ['1', '2', '3', '4', '5', '6']) transcript.answer(call(id), id.repeat(20_000))
    const lengths = transcript.messages().map(({ text }) => text.length)
    expect(lengths.slice(2)).toEqual([20_000, 20_000, 20_000, 20_000])
    expect(Math.max(...lengths.slice(0, 2))).toBeLessThan(100)
  })
})
