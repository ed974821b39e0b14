import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'

/** A text → the numbers of its word pieces, at most `most`, with those that begin and end a text. */
type Tokenise = (text: string, most: number) => number[]

const unknownPiece = '[UNK]'
const firstPiece = '[CLS]'
const lastPiece = '[SEP]'
/** Longer words are one unknown piece, as when the model was trained. */
const longestWord = 100
/** No more of a text is looked at for each piece that is wanted: what is longer is spaces or data. */
const lettersPerPiece = 32

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

/** Turns texts into numbers that are alike where their meaning is. */
export interface SentenceModel {
  /** The vector of a text; what follows the first pieces of it does not count. */
  embed(text: string): Promise<Int8Array>
}

/** The model was trained on texts of at most this many pieces. */
const maxPieces = 256
/** What follows these letters of a text does not count. */
export const maxReadLength = maxPieces * lettersPerPiece

const weights = 'model.onnx'
const tokeniser = 'tokenizer.json'
const library = 'onnxruntime-node'

/** Whether a folder has the weights, the word pieces and the library that runs them. */
export function hasSentenceModel(folder: string): boolean {
  return [weights, tokeniser, join('node_modules', library)].every((name) => existsSync(join(folder, name)))
}

/** What is used of the library, which is not among the packages of the service. */
interface Library {
  InferenceSession: { create(path: string, options: object): Promise<Session> }
  Tensor: new (type: 'int64', data: BigInt64Array, shape: number[]) => unknown
}
interface Session {
  run(inputs: Record<string, unknown>): Promise<Record<string, { data: Float32Array }>>
}

/** Loads the model from a folder; fails where it has none, or its library does not run here. */
export async function openModel(folder: string): Promise<SentenceModel> {
  // The exact version of the library is in its lock file.
  const { InferenceSession, Tensor } = createRequire(join(folder, weights))(library) as Library
  const tokenise = createTokeniser(await readVocabulary(join(folder, tokeniser)))
  // One thread: other cores belong to scrapes.
  const threads = { intraOpNumThreads: 1, interOpNumThreads: 1 }
  const session = await InferenceSession.create(join(folder, weights), threads)
  return {
    async embed(text) {
      const pieces = BigInt64Array.from(tokenise(text, maxPieces), BigInt)
      const input = (data: BigInt64Array) => new Tensor('int64', data, [1, data.length])
      const { last_hidden_state: output } = await session.run({
        input_ids: input(pieces),
        attention_mask: input(pieces.map(() => 1n)),
        token_type_ids: input(pieces.map(() => 0n)),
      })
      if (output?.data.length !== pieces.length * dimensions)
        throw new Error('The sentence model answered something else than one vector for each word piece.')
      return vectorOf(output.data)
    },
  }
}

const vocabulary = z.object({ model: z.object({ vocab: z.record(z.string(), z.number()) }) })

async function readVocabulary(path: string): Promise<Map<string, number>> {
  const { model } = vocabulary.parse(JSON.parse(await readFile(path, 'utf8')))
  return new Map(Object.entries(model.vocab))
}

/** How many numbers stand for a text. */
export const dimensions = 384

/** The mean of the vectors of all pieces of a text, as signed bytes: the largest number becomes 127 or -127. */
export function vectorOf(pieces: Float32Array): Int8Array {
  const sums = new Float64Array(dimensions)
  for (const [at, value] of pieces.entries()) sums[at % dimensions] = (sums[at % dimensions] ?? 0) + value
  const largest = sums.reduce((most, sum) => Math.max(most, Math.abs(sum)), 0)
  return Int8Array.from(sums, (sum) => (largest === 0 ? 0 : Math.round((sum / largest) * 127)))
}

/** How alike two vectors are, from -1 to 1. Their lengths say nothing: the bytes of each have a scale of their own. */
export function similarity(one: Int8Array, other: Int8Array): number {
  let product = 0
  let ofOne = 0
  let ofOther = 0
  for (let at = 0; at < one.length; at += 1) {
    const a = one[at] ?? 0
    const b = other[at] ?? 0
    product += a * b
    ofOne += a * a
    ofOther += b * b
  }
  return ofOne === 0 || ofOther === 0 ? 0 : product / Math.sqrt(ofOne * ofOther)
}
