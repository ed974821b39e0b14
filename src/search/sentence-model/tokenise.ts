/** A text → the numbers of its word pieces, at most `most`, with those that begin and end a text. */
export type Tokenise = (text: string, most: number) => number[]

const unknownPiece = '[UNK]'
const firstPiece = '[CLS]'
const lastPiece = '[SEP]'
/** Longer words are one unknown piece, as when the model was trained. */
const longestWord = 100
/** No more of a text is looked at for each piece that is wanted: what is longer is spaces or data. */
export const lettersPerPiece = 32

const spaces = /\p{White_Space}/gu
const invisible = /[\p{C}\ufffd]/gu
const marks = /\p{Mn}/gu
const ideographs =
  '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ceaf}\\u{2f800}-\\u{2fa1f}'
// Symbols of ASCII count as punctuation, others as letters.
const alone = `\\p{P}$+<=>^\`|~${ideographs}`
const words = new RegExp(`[^ ${alone}]+|[${alone}]`, 'gu')

/** WordPiece in lower case and without accents, as BERT has it. */
export function createTokeniser(vocabulary: ReadonlyMap<string, number>): Tokenise {
  const numberOf = (piece: string) => vocabulary.get(piece) ?? 0
  const [first, last, unknown] = [firstPiece, lastPiece, unknownPiece].map(numberOf)
  const longestPiece = Math.max(...[...vocabulary.keys()].map(({ length }) => length))

  /** The longest piece that a word begins with, then that of the rest; undefined where one cannot be made of pieces. */
  function pieces(word: string): number[] | undefined {
    const found: number[] = []
    for (let start = 0; start < word.length; ) {
      let end = Math.min(word.length, start + longestPiece)
      let number: number | undefined
      for (; end > start; end -= 1) {
        number = vocabulary.get(start > 0 ? `##${word.slice(start, end)}` : word.slice(0, end))
        if (number !== undefined) break
      }
      if (number === undefined) return undefined
      found.push(number)
      start = end
    }
    return found
  }

  return (text, most) => {
    const numbers = [first ?? 0]
    for (const [word] of plain(text.slice(0, most * lettersPerPiece)).matchAll(words)) {
      if (numbers.length >= most - 1) break
      const found = word.length <= longestWord || [...word].length <= longestWord ? pieces(word) : undefined
      numbers.push(...(found ?? [unknown ?? 0]))
    }
    return [...numbers.slice(0, most - 1), last ?? 0]
  }
}

function plain(text: string): string {
  return text.replace(spaces, ' ').replace(invisible, '').normalize('NFD').replace(marks, '').toLowerCase()
}
