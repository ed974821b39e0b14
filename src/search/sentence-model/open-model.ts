import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'

type Tokenise = (text: string, maxIds: number) => number[]

const unknownPiece = '[UNK]'
const firstPiece = '[CLS]'
const lastPiece = '[SEP]'
/** A longer word is one unknown piece, as in the training of the model. */
const maxWordChars = 100
const maxCharsPerPiece = 32

const spaces = /\p{White_Space}/gu
const invisible = /[\p{C}\ufffd]/gu
const accents = /\p{Mn}/gu
const ideographs =
  '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ceaf}\\u{2f800}-\\u{2fa1f}'
// ASCII symbols count as punctuation, other symbols as letters.
const separatePieces = `\\p{P}$+<=>^\`|~${ideographs}`
const wordPattern = new RegExp(`[^ ${separatePieces}]+|[${separatePieces}]`, 'gu')

/** WordPiece tokeniser of BERT: lower case, without accents. */
export function createTokeniser(vocabulary: ReadonlyMap<string, number>): Tokenise {
  const idOf = (piece: string) => vocabulary.get(piece) ?? 0
  const [first, last, unknown] = [firstPiece, lastPiece, unknownPiece].map(idOf)
  const maxPieceLength = Math.max(...[...vocabulary.keys()].map(({ length }) => length))

  /** Splits a word into the longest pieces, from left to right; undefined if it cannot be made of pieces. */
  function splitWord(word: string): number[] | undefined {
    const ids: number[] = []
    for (let start = 0; start < word.length; ) {
      let end = Math.min(word.length, start + maxPieceLength)
      let id: number | undefined
      for (; end > start; end -= 1) {
        id = vocabulary.get(start > 0 ? `##${word.slice(start, end)}` : word.slice(0, end))
        if (id !== undefined) break
      }
      if (id === undefined) return undefined
      ids.push(id)
      start = end
    }
    return ids
  }

  return (text, maxIds) => {
    const ids = [first ?? 0]
    for (const [word] of normalize(text.slice(0, maxIds * maxCharsPerPiece)).matchAll(wordPattern)) {
      if (ids.length >= maxIds - 1) break
      const pieces =
        word.length <= maxWordChars || [...word].length <= maxWordChars ? splitWord(word) : undefined
      ids.push(...(pieces ?? [unknown ?? 0]))
    }
    return [...ids.slice(0, maxIds - 1), last ?? 0]
  }
}

function normalize(text: string): string {
  return text.replace(spaces, ' ').replace(invisible, '').normalize('NFD').replace(accents, '').toLowerCase()
}

export interface SentenceModel {
  embed(text: string): Promise<Int8Array>
}

const maxPieces = 256
export const maxReadLength = maxPieces * maxCharsPerPiece

const weightsFile = 'model.onnx'
const tokeniserFile = 'tokenizer.json'
const libraryName = 'onnxruntime-node'

export function hasSentenceModel(folder: string): boolean {
  return [weightsFile, tokeniserFile, join('node_modules', libraryName)].every((name) =>
    existsSync(join(folder, name)),
  )
}

/** API of the library, which is not among the packages of the service. */
interface Library {
  InferenceSession: { create(path: string, options: object): Promise<Session> }
  Tensor: new (type: 'int64', data: BigInt64Array, shape: number[]) => unknown
}
interface Session {
  run(inputs: Record<string, unknown>): Promise<Record<string, { data: Float32Array }>>
}

export async function openModel(folder: string): Promise<SentenceModel> {
  // A lock file in the folder has the exact version of the library.
  const { InferenceSession, Tensor } = createRequire(join(folder, weightsFile))(libraryName) as Library
  const tokenise = createTokeniser(await readVocabulary(join(folder, tokeniserFile)))
  // One thread, because the other cores are for scrapes.
  const threads = { intraOpNumThreads: 1, interOpNumThreads: 1 }
  const session = await InferenceSession.create(join(folder, weightsFile), threads)
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

const vocabularySchema = z.object({ model: z.object({ vocab: z.record(z.string(), z.number()) }) })

async function readVocabulary(path: string): Promise<Map<string, number>> {
  const { model } = vocabularySchema.parse(JSON.parse(await readFile(path, 'utf8')))
  return new Map(Object.entries(model.vocab))
}

export const dimensions = 384

/** Returns the mean of the vectors of all pieces, as signed bytes. The largest absolute value becomes 127 or -127. */
export function vectorOf(pieces: Float32Array): Int8Array {
  const sums = new Float64Array(dimensions)
  for (const [index, value] of pieces.entries())
    sums[index % dimensions] = (sums[index % dimensions] ?? 0) + value
  const maxAbsolute = sums.reduce((max, sum) => Math.max(max, Math.abs(sum)), 0)
  return Int8Array.from(sums, (sum) => (maxAbsolute === 0 ? 0 : Math.round((sum / maxAbsolute) * 127)))
}

/** Returns the cosine similarity. Lengths are ignored, because the bytes of each vector have a different scale. */
export function similarity(one: Int8Array, other: Int8Array): number {
  let product = 0
  let squaresOfOne = 0
  let squaresOfOther = 0
  for (let index = 0; index < one.length; index += 1) {
    const a = one[index] ?? 0
    const b = other[index] ?? 0
    product += a * b
    squaresOfOne += a * a
    squaresOfOther += b * b
  }
  return squaresOfOne === 0 || squaresOfOther === 0 ? 0 : product / Math.sqrt(squaresOfOne * squaresOfOther)
}
