import { join } from 'node:path'
import { hasSentenceModel } from '../src/search/sentence-model/open-model.ts'

const folder =
  process.env.SEARCH_SENTENCE_MODEL ?? join(import.meta.dirname, '..', '.prepared', 'sentence-model')

/** Folder of the sentence model that the setup installed; undefined if the installation failed. */
export const sentenceModelFolder = hasSentenceModel(folder) ? folder : undefined
