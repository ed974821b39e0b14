import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { createTokeniser, lettersPerPiece } from './tokenise.ts'
import { dimensions, vectorOf } from './vector.ts'

/** Turns texts into numbers that are alike where their meaning is. */
export interface SentenceModel {
  /** The vector of a text; what follows the first pieces of it does not count. */
  embed(text: string): Promise<Int8Array>
}

/** The model was trained on texts of at most this many pieces. */
const mostPieces = 256
/** What follows these letters of a text does not count. */
export const maxReadLength = mostPieces * lettersPerPiece

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
      const pieces = BigInt64Array.from(tokenise(text, mostPieces), BigInt)
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
