import { describe, expect, it } from 'vitest'
import { guessLanguage } from './guess-language.ts'

describe('guessLanguage', () => {
  it.each([
    [
      'en',
      'The harbour of the town is open to boats that come from the north, and the office was built for them.',
    ],
    [
      'de',
      'Der Hafen ist offen und die Boote liegen nicht auf dem Strand, das wird von den Fischern mit Mühe erledigt.',
    ],
    [
      'fr',
      'Le port est ouvert et les bateaux qui sont dans la baie ne sont pas sur la plage, pour une raison simple.',
    ],
    ['es', 'El puerto está abierto y los barcos que llegan por la noche son para las personas del pueblo.'],
    [
      'nl',
      'De haven is open en het schip dat van het noorden komt wordt niet door een loods bij de kade gebracht.',
    ],
    ['ru', 'Гавань открыта, и лодки лежат на берегу.'],
  ])('returns %s for a text in this language', (code, text) => {
    expect(guessLanguage(undefined, text)).toBe(code)
  })

  it('returns the language that the page declares', () => {
    expect(guessLanguage('de-AT', 'The harbour of the town is open to boats that come from the north.')).toBe(
      'de',
    )
  })

  it('returns English if a few Latin words are inconclusive', () => {
    expect(guessLanguage(undefined, 'Mugs, cups')).toBe('en')
  })
})
