import { hostileSchemas } from '../../test/attack/hostile-schemas.ts'

/**
 * Values that cost most where they are read. Each is made for a length, so that the same value reaches whatever bound a field
 * has.
 */
export type Make = (length: number, index: number) => unknown

/** What long texts are made of. Each has made some reader slow: no end of a word, no word at all, marks, two-byte letters. */
export const alphabets: Record<string, string> = {
  words: 'the tide of every evening ',
  'one letter': 'a',
  'at signs': '@',
  spaces: 'a   \t\n  ',
  marks: '<"\\[(*.-/&#x3c;',
  letters: 'é漢🙂İ',
}

/** Exactly so many characters, and never half of a character. */
export function textOf(alphabet: string, length: number): string {
  const text = alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length)
  return /[\ud800-\udbff]$/.test(text) ? `${text.slice(0, -1)}x` : text
}

const nested = (name: string, depth: number): string =>
  depth === 0 ? '[z]' : `${name}([a] ${nested(name, depth - 1)})`

/** Repeats a piece up to the length and fills what is left with letters of a name. */
function filled(first: string, piece: string, length: number): string {
  const count = Math.max(0, Math.floor((length - first.length) / piece.length))
  const text = first + piece.repeat(count)
  return text.length <= length ? text + 'a'.repeat(length - text.length) : 'a'.repeat(Math.max(0, length))
}

const selectorShapes: [string, string][] = [
  ['[a]', '~[a]'],
  ['[a]', ' [a]'],
  [nested(':has', 6), `,${nested(':has', 6)}`],
  [`:not(${nested(':is', 6)})`, `~:not(${nested(':is', 6)})`],
  ['[a]', ':nth-last-child(2n of [a]~[a])'],
]
export const selectors: Make[] = selectorShapes.map(([first, piece]) => (length, index) => {
  // A number at the end makes each entry of a list another selector.
  const end = `,b${index}`
  return filled(first, piece, length - end.length) + end
})

const patternShapes: [string, string][] = [
  ['/', '.*a'],
  ['/', '(a|b|ab)*'],
]
export const patterns: Make[] = patternShapes.map(([first, piece]) => (length, index) => {
  const end = `${index}`
  return filled(first, piece, length - end.length) + end
})

/** Pages of the site of the measurement, which answers every path. */
export function urls(site: string): Make[] {
  const shapes = ['a=b&', '*%41*b/']
  return shapes.map((piece) => (length, index) => filled(`${site}/${index}?`, piece, length))
}

/** JSON of at most so many bytes: many keys, one long text, and as deep as a body may be with the fields around it. */
export const anyObjects: Make[] = [
  (bytes) => {
    const count = Math.min(20_000, Math.floor(bytes / 12))
    return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
  },
  (bytes) => ({ text: 'x'.repeat(Math.max(0, bytes - 11)) }),
  () => Array.from({ length: 50 }).reduce<object>((inner) => ({ a: inner }), {}),
]

/** Some of the attacks, and two that fill the bound: fields that a page could name, and names that fill the bytes. */
export const schemas: Make[] = [
  (bytes) => ({ type: 'object', properties: fields(Math.floor(bytes / 26)) }),
  (bytes) => ({
    type: 'object',
    properties: { title: { type: 'string', description: 'x'.repeat(Math.max(0, bytes - 75)) } },
  }),
  ...hostileSchemas
    .filter((_, index) => index % 4 === 0)
    .map(
      ({ schema }) =>
        () =>
          schema,
    ),
]

function fields(count: number) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`p${index}`, { type: index % 2 ? 'string' : 'number' }]),
  )
}

/** By the shape that a schema demands of a text; the first that fits and is longest is taken. */
export const shapedTexts: string[] = [
  ...['de', '00000000-0000-7000-8000-000000000000', '2020-01-01', 'qdr:d3,sbd:1', 'web', 'page', 'Enter'],
  ...['1.2.3', 'true', 'arxiv:1706.03762', 'doc'],
  `abc${'-abcdefgh'.repeat(3)}-abcd`,
  `${'a'.repeat(100)}/${'a'.repeat(99)}`,
  `${'a-'.repeat(50)}${'a'.repeat(100)}`,
  `${'a_'.repeat(40)}`,
  `${`${'a'.repeat(30)}.`.repeat(8)}abcde`,
  ...['a', 'é'].map((letter) => letter.repeat(100)),
]
