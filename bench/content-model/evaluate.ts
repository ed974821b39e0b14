import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPage } from '../../src/content/content.ts'
import { type Model, model, readModel, type Weights } from '../../src/content/main-content/model.ts'
import {
  type Benchmark,
  foldCount,
  keyOf,
  type Runner,
  type Sample,
  type ScoredSample,
  type ScoredSet,
} from './samples.ts'

/** Scores of the models of one training, by set. */
export interface Scores {
  /** Scores of the model of all pages, on its training pages. */
  training: SetScores
  /** Scores of each page with the model that was not trained on its site. */
  validation: SetScores
  /** Like `validation`, but only development pages. */
  validationOfDevelopment: SetScores
  /** Scores of the model of the training pages, on the development pages. */
  development: SetScores
}

export type SetScores = Partial<Record<ScoredSet, SetScore>>

interface SetScore {
  pages: number
  /** Main score of the set. */
  main: number
  /** Mean over types of pages; undefined if the types are unknown. */
  macro?: number
  /** Score of headings, list items, table rows, code and links that keep their format. */
  structure?: number
  empty: number
}

/** Fold of each page in the training of the models of a folder. */
export type Folds = Readonly<Record<string, number>>

export function evaluate({ runner, samples }: Benchmark, folder: string, folds: Folds): Scores {
  const { all, train, foldModels } = loadModels(folder)
  const getValidationModel = (sample: Sample) => {
    const foldModel = foldModels[folds[keyOf(sample)] ?? -1]
    if (foldModel === undefined) throw new Error(`${keyOf(sample)} is in none of the folds of ${folder}.`)
    return foldModel
  }
  const development = samples.filter(({ split }) => split === 'dev')
  return {
    training: scoreSets(runner, samples, () => all),
    validation: scoreSets(runner, samples, getValidationModel),
    validationOfDevelopment: scoreSets(runner, development, getValidationModel),
    development: scoreSets(runner, development, () => train),
  }
}

export function loadModels(folder: string): { all: Model; train: Model; foldModels: Model[] } {
  const load = (name: string) => readModel(readWeights(folder, name))
  const foldModels = Array.from({ length: foldCount }, (_, fold) => load(`fold-${fold}`))
  return { all: load('all'), train: load('train'), foldModels }
}

function readWeights(folder: string, name: string): Weights {
  // The cast is safe: train.py wrote the file, and readModel compares the features.
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Weights
}

function scoreSets(runner: Runner, samples: ScoredSample[], modelFor: (sample: Sample) => Model): SetScores {
  const scores: SetScores = {}
  for (const set of new Set(samples.map((sample) => sample.set))) {
    const rows = samples
      .filter((sample) => sample.set === set)
      .map((sample) => {
        const markdown = renderMarkdown(sample, modelFor(sample))
        return { type: sample.type, len: markdown.length, s: runner.scorePage(set, sample, markdown) }
      })
    const { pages, main, macroType, structure, empty } = runner.aggregate(set, rows)
    scores[set] = {
      pages,
      main: round(main),
      ...(macroType === undefined ? {} : { macro: round(macroType) }),
      ...(structure === undefined ? {} : { structure: round(structure.score) }),
      empty,
    }
  }
  return scores
}

const round = (value: number) => Math.round(value * 10_000) / 10_000

/** Returns the Markdown of a page like the service, but with the weights of another model. */
export function renderMarkdown(sample: Pick<Sample, 'url' | 'html'>, weights: Model): string {
  Object.assign(model(), weights)
  const page = {
    requestedUrl: sample.url,
    url: sample.url,
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    bytes: new Uint8Array(),
    text: sample.html,
    fetchedAt: 0,
  }
  const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return readPage(page, options).markdown()
}
