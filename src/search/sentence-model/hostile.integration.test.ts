import { expect, it } from 'vitest'
import { createTokeniser } from './open-model.ts'

const letters = ['a', '##a', 'b', '##b'].map((piece, number): [string, number] => [piece, number + 10])
const tokenise = createTokeniser(new Map([['[CLS]', 1], ['[SEP]', 2], ['[UNK]', 3], ...letters]))

it.each<[string, (size: number) => string]>([
  ['one long word', (size) => 'a'.repeat(size)],
  ['spaces', (size) => ' '.repeat(size)],
  ['accents', (size) => `a${'\u0301'.repeat(size)}`],
  ['invisible letters', (size) => '\u200b'.repeat(size)],
  ['half letters', (size) => '\ud83d'.repeat(size)],
  ['words that end in what is not known', (size) => `${'a'.repeat(99)}x `.repeat(size / 100)],
])('tokenises a text of %s in bounded time, whatever its length', (_, text) => {
  const long = text(20_000_000)
  const started = performance.now()
  expect(tokenise(long, 256).length).toBeLessThanOrEqual(256)
  expect(performance.now() - started).toBeLessThan(1000)
})
