import { join } from 'node:path'
import { hasSentenceModel } from '../src/search/sentence-model/open-model.ts'

const folder =
  process.env.SEARCH_SENTENCE_MODEL ?? join(import.meta.dirname, '..', '.prepared', 'sentence-model')

/** The sentence model that preparation brought; undefined where it could not. */
export const sentenceModelFolder = hasSentenceModel(folder) ? folder : undefined
