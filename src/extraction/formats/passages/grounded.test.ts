import { expect, it } from 'vitest'
import { findUngroundedClaims } from './grounded.ts'

const sources = [
  'The NATO harbour of Nes was rebuilt by Visser in 1972 for 1,200 boats.',
  'ネスの港は島で最も古い港です。',
]

it.each([
  'It was rebuilt in 1972 by Visser.',
  'Rebuilt for 1200 boats of NATO.',
  'The harbours were rebuilt.',
  '港は島で最も古い',
  'No.',
])('accepts %j', (text) => {
  expect(findUngroundedClaims(text, sources)).toEqual([])
})

it.each([
  ['It was rebuilt in 1973.', '1973'],
  ['It was shown in Atlantis.', 'Atlantis'],
  ['PWNED', 'PWNED'],
  ['See evil.example for the harbour.', 'evil.example'],
  ['Hacked', 'Hacked'],
  ['無料です', '無料です'],
])('finds the ungrounded parts of %j', (text, invented) => {
  expect(findUngroundedClaims(text, sources)).toContain(invented)
})
