import { hostileSchemas } from '../../test/attack/hostile-schemas.ts'

/** Creates an expensive value of a given length, so that the value can reach the bound of any field. */
export type Make = (length: number, index: number) => unknown

/**
 * Contents of long texts. Each of them has slowed down a parser: endless words, no words, markup, non-ASCII letters.
 */
export const alphabets: Record<string, string> = {
  words: 'the tide of every evening ',
  'one letter': 'a',
  'at signs': '@',
  spaces: 'a   \t\n  ',
  marks: '<"\\[(*.-/&#x3c;',
  letters: 'é漢🙂İ',
}

/** Returns a text of exactly this length, without half of a surrogate pair. */
export function textOf(alphabet: string, length: number): string {
  const text = alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length)
  return /[\ud800-\udbff]$/.test(text) ? `${text.slice(0, -1)}x` : text
}

const nestSelector = (name: string, depth: number): string =>
  depth === 0 ? '[z]' : `${name}([a] ${nestSelector(name, depth - 1)})`

/** Repeats a piece up to the length, and fills the remaining characters with letters of a name. */
function repeatToLength(first: string, piece: string, length: number): string {
  const count = Math.max(0, Math.floor((length - first.length) / piece.length))
  const text = first + piece.repeat(count)
  return text.length <= length ? text + 'a'.repeat(length - text.length) : 'a'.repeat(Math.max(0, length))
}

const selectorShapes: [string, string][] = [
  ['[a]', '~[a]'],
  ['[a]', ' [a]'],
  [nestSelector(':has', 6), `,${nestSelector(':has', 6)}`],
  [`:not(${nestSelector(':is', 6)})`, `~:not(${nestSelector(':is', 6)})`],
  ['[a]', ':nth-last-child(2n of [a]~[a])'],
]
export const selectors: Make[] = selectorShapes.map(([first, piece]) => (length, index) => {
  // A number at the end makes each entry of a list a different selector.
  const suffix = `,b${index}`
  return repeatToLength(first, piece, length - suffix.length) + suffix
})

const patternShapes: [string, string][] = [
  ['/', '.*a'],
  ['/', '(a|b|ab)*'],
]
export const patterns: Make[] = patternShapes.map(([first, piece]) => (length, index) => {
  const suffix = `${index}`
  return repeatToLength(first, piece, length - suffix.length) + suffix
})

/** Returns URLs of pages of the test site, which serves every path. */
export function urls(site: string): Make[] {
  const shapes = ['a=b&', '*%41*b/']
  return shapes.map((piece) => (length, index) => repeatToLength(`${site}/${index}?`, piece, length))
}

/** Objects of at most this many bytes as JSON: many keys, one long text, and maximum depth within a request body. */
export const anyObjects: Make[] = [
  (bytes) => {
    const count = Math.min(20_000, Math.floor(bytes / 12))
    return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
  },
  (bytes) => ({ text: 'x'.repeat(Math.max(0, bytes - 11)) }),
  () => Array.from({ length: 50 }).reduce<object>((inner) => ({ a: inner }), {}),
]

/**
 * Some of the hostile schemas, and two schemas at the byte bound: one with many fields and one with a long description.
 */
export const schemas: Make[] = [
  (bytes) => ({ type: 'object', properties: createFields(Math.floor(bytes / 26)) }),
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

function createFields(count: number) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`p${index}`, { type: index % 2 ? 'string' : 'number' }]),
  )
}

/** Texts with the formats that schemas require. The longest text that a field accepts is used. */
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
