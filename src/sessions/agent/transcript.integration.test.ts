import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../platform/text.ts'
import { createTranscript } from './transcript.ts'

const call = (id: string) => ({ id, name: 'read', arguments: {} })

describe('createTranscript', () => {
  it('keeps refs in the latest page only', () => {
    const transcript = createTranscript(30_000)
    transcript.addUserMessage('The task:', '- link "A" [ref=e1] [cursor=pointer]: a')
    transcript.addResult(call('1'), 'Clicked.', '- link "B" [ref=e2]: b')
    transcript.addResult(call('2'), 'Read.')
    const texts = transcript.messages().map(({ text }) => text)
    expect(texts).toEqual(['The task:\n- link "A": a', 'Clicked.\n- link "B" [ref=e2]: b', 'Read.'])
  })

  it('shortens a long older page and keeps its end marker', () => {
    const transcript = createTranscript(30_000)
    transcript.addUserMessage('', `[begin]\n${'x'.repeat(40_000)}\n[end]`)
    transcript.addResult(call('1'), 'Clicked.', 'the page')
    const [first] = transcript.messages()
    expect(first?.text.length).toBeLessThan(13_000)
    expect(first?.text.endsWith('\n[end]')).toBe(true)
  })

  it('omits old tool results when the transcript becomes too long', () => {
    const transcript = createTranscript(30_000)
    for (const id of ['1', '2', '3', '4', '5', '6']) transcript.addResult(call(id), id.repeat(20_000))
    const lengths = transcript.messages().map(({ text }) => text.length)
    expect(lengths.slice(2)).toEqual([20_000, 20_000, 20_000, 20_000])
    expect(Math.max(...lengths.slice(0, 2))).toBeLessThan(100)
  })

  it('cuts pages to the context of the model and keeps the markers', () => {
    const transcript = createTranscript(4000)
    transcript.addUserMessage('The task:', `[begin]\n${'x'.repeat(40_000)}\n[end]`)
    for (const id of ['1', '2', '3']) {
      transcript.addReply('', [call(id)])
      transcript.addResult(call(id), `[begin]\n${id.repeat(40_000)}\n[end]`)
    }
    const messages = transcript.messages()
    const texts = messages.map(({ text }) => text)
    expect(estimateTokens(texts.join(''))).toBeLessThan(3800)
    expect(texts[0]).toMatch(/^The task:\n\[begin\]\nx{1000}[\s\S]*left out[\s\S]*\n\[end\]$/)
    expect(texts.at(-1)).toMatch(/^\[begin\]\n3{1000}[\s\S]*left out[\s\S]*\n\[end\]$/)
    expect(texts[2]).toBe('(left out, as it is long ago)')
  })
})
