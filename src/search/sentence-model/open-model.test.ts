import { describe, expect, it } from 'vitest'
import { createTokeniser, dimensions, similarity, vectorOf } from './open-model.ts'

/** Pieces of the real vocabulary with their ids. */
const pieces: Record<string, number> = {
  ...{ '[PAD]': 0, '[UNK]': 100, '[CLS]': 101, '[SEP]': 102, the: 1996, tide: 10_401, turns: 4332, at: 2012 },
  ...{
    noon: 11_501,
    '.': 1012,
    cr: 13_675,
    '##eme': 21_382,
    br: 7987,
    '##ule': 9307,
    '##e': 2063,
    ',': 1010,
  },
  ...{ naive: 15_743, cafe: 7668, '—': 1517, resume: 13_746, una: 14_477, '##ffa': 20_961, '##ble': 3468 },
  ...{ word: 2773, '##piece': 11_198, '##™': 30_108, '€': 1574, '##5': 2629, 99: 5585, '/': 1013, kg: 4705 },
  ...{ 東: 1879, 京: 1755, は: 1672, tokyo: 5522, abc: 5925, d: 1040, e: 1041, f: 1042, '##gh': 5603 },
  ...{
    $: 1002,
    100: 2531,
    '+': 1009,
    5: 1019,
    '<': 1026,
    '`': 1036,
    code: 3642,
    '^': 1034,
    '|': 1064,
    o: 1051,
  },
  ...{ y: 1061, '##y': 2100 },
}
const tokenise = createTokeniser(new Map(Object.entries(pieces)))
const tokeniseText = (text: string) => tokenise(text, 256).slice(1, -1)

describe('createTokeniser', () => {
  // The ids are those of the tokeniser that the authors of the model publish.
  it.each<[string, number[]]>([
    ['The tide turns at noon.', [1996, 10_401, 4332, 2012, 11_501, 1012]],
    [
      'Crème brûlée, naïve café — résumé',
      [13_675, 21_382, 7987, 9307, 2063, 1010, 15_743, 7668, 1517, 13_746],
    ],
    ['unaffable', [14_477, 20_961, 3468]],
    ['WordPiece™ €5.99/kg', [2773, 11_198, 30_108, 1574, 2629, 1012, 5585, 1013, 4705]],
    ['東京は晴れ tokyo', [1879, 1755, 1672, 100, 100, 5522]],
    ['a\u200bb\u00adc\u00a0d\u2028e\tf\ufffdg\u0000h', [5925, 1040, 1041, 1042, 5603]],
    ['$100 + 5 < `code` ^ |', [1002, 2531, 1009, 1019, 1026, 1036, 3642, 1036, 1034, 1064]],
    ['e\u0301 o\u0308\u0304', [1041, 1051]],
    [`${'x'.repeat(101)} ${'y'.repeat(100)}`, [100, 1061, ...Array.from({ length: 99 }, () => 2100)]],
    ['🙂 ภาษาไทย', [100, 100]],
    [' \n', []],
  ])('tokenises %j', (text, expected) => {
    expect(tokeniseText(text)).toEqual(expected)
  })

  it('adds the first and last piece, and cuts a text at the limit', () => {
    expect(tokenise('', 256)).toEqual([101, 102])
    expect(tokenise('the tide turns at noon', 4)).toEqual([101, 1996, 10_401, 102])
    expect(tokenise('the unaffable', 4)).toEqual([101, 1996, 14_477, 102])
    expect(tokenise('tide '.repeat(1000), 256)).toHaveLength(256)
  })
})

const piece = (...values: number[]) => Float32Array.from({ length: dimensions }, (_, at) => values[at] ?? 0)
const concatenate = (one: Float32Array, other: Float32Array) => Float32Array.from([...one, ...other])

describe('vectorOf and similarity', () => {
  it('return the mean of the pieces as bytes, scaled per vector', () => {
    const vector = vectorOf(concatenate(piece(0.2, -0.1, 0), piece(0.2, -0.3, 0.1)))
    expect(vector).toHaveLength(dimensions)
    expect([...vector.slice(0, 4)]).toEqual([127, -127, 32, 0])
  })

  it('return 0 for an empty vector', () => {
    expect(similarity(vectorOf(piece()), vectorOf(piece(1)))).toBe(0)
  })

  it('compare vectors only by their direction', () => {
    const one = vectorOf(piece(1, 2, 3))
    expect(similarity(one, vectorOf(piece(0.01, 0.02, 0.03)))).toBeCloseTo(1)
    expect(similarity(one, vectorOf(piece(-1, -2, -3)))).toBeCloseTo(-1)
    expect(similarity(one, vectorOf(piece(3, 0, -1)))).toBeCloseTo(0, 2)
  })
})
