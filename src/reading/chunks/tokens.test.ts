import { countTokens as known } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { countParts, countTokens } from './tokens.ts'

const texts = [
  '',
  'The lamp burned until dawn, and nobody came.',
  "They've read it; she'd rather WRITE in camelCase and SHOUT.",
  'Größe, naïve, Ångström, łódź — „quoted“ … 12345678 and 3.14\n\n- item\n- other\n',
  'Маяк горел до рассвета, и никто не пришёл.',
  '灯塔一直亮到黎明，没有人来。',
  'ประภาคารสว่างจนถึงรุ่งสาง',
  '등대는 새벽까지 켜져 있었다. 👩🏽‍🚀 🇳🇱',
  '```js\nconst a = (b) => { return b?.c ?? [] } // 0xff\n```\n\n| a | b |\n| --- | ---: |\n',
  'é'.normalize('NFD').repeat(3),
  'Ã© â‚¬ ÿþ',
]

describe('counting tokens', () => {
  it.each(texts)('agrees with the encoding o200k_base: %j', (text) => {
    expect(countTokens(text)).toBe(known(text))
  })

  it('reads the name of a control token as text', () => {
    expect(countTokens('<|endoftext|>')).toBe(known('<|endoftext|>', { disallowedSpecial: new Set() }))
  })

  it('counts a word that is longer than any in parts', () => {
    expect(countTokens('ab'.repeat(100_000))).toBeGreaterThan(10_000)
    expect(countTokens('漢'.repeat(100_000))).toBeGreaterThan(50_000)
  })

  it('counts parts, what stands between them, and the whole', () => {
    const parts = ['Say it again!!!', '**Bold.**', '漢字。', '- a']
    const text = parts.join('\n\n')
    const starts = parts.map((part) => text.indexOf(part))
    const ends = starts.map((start, index) => start + (parts[index]?.length ?? 0))
    const { inside, behind, total } = countParts(text, starts, ends)
    expect(inside).toEqual(parts.map(countTokens))
    expect(total).toBe(countTokens(text))
    expect([...inside, ...behind].reduce((sum, tokens) => sum + tokens)).toBe(total)
  })
})
