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

/** How well the models of one training did, by set. */
export interface Scores {
  /** The model of all pages, on the pages it has learned from. */
  training: SetScores
  /** Every page by the model that has seen no page of its site. */
  validation: SetScores
  /** The same, of the development pages alone. */
  validationOfDevelopment: SetScores
  /** The model of the training pages alone, on the development pages. */
  development: SetScores
}

export type SetScores = Partial<Record<ScoredSet, SetScore>>

interface SetScore {
  pages: number
  /** The main score of the set. */
  main: number
  /** The mean over kinds of pages, where they are known. */
  macro?: number
  /** Headings, items, rows, code and links that are written as such. */
  structure?: number
  empty: number
}

/** Which part of the pages each page was in when the models of a folder were made. */
export type Folds = Readonly<Record<string, number>>

export function evaluate({ runner, samples }: Benchmark, folder: string, folds: Folds): Scores {
  const { all, train, parts } = modelsOf(folder)
  const unseen = (sample: Sample) => {
    const part = parts[folds[keyOf(sample)] ?? -1]
    if (part === undefined) throw new Error(`${keyOf(sample)} is in none of the folds of ${folder}.`)
    return part
  }
  const development = samples.filter(({ split }) => split === 'dev')
  return {
    training: score(runner, samples, () => all),
    validation: score(runner, samples, unseen),
    validationOfDevelopment: score(runner, development, unseen),
    development: score(runner, development, () => train),
  }
}

export function modelsOf(folder: string): { all: Model; train: Model; parts: Model[] } {
  const load = (name: string) => readModel(readWeights(folder, name))
  const parts = Array.from({ length: foldCount }, (_, fold) => load(`fold-${fold}`))
  return { all: load('all'), train: load('train'), parts }
}

function readWeights(folder: string, name: string): Weights {
  // The file was written by train.py; the features are compared when the model is read.
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Weights
}

function score(runner: Runner, samples: ScoredSample[], modelFor: (sample: Sample) => Model): SetScores {
  const scores: SetScores = {}
  for (const set of new Set(samples.map((sample) => sample.set))) {
    const rows = samples
      .filter((sample) => sample.set === set)
      .map((sample) => {
        const markdown = markdownOf(sample, modelFor(sample))
        return { type: sample.type, len: markdown.length, s: runner.scorePage(set, sample, markdown) }
      })
    const { pages, main, macroType, structure, empty } = runner.aggregate(set, rows)
    scores[set] = {
      pages,
      main: rounded(main),
      ...(macroType === undefined ? {} : { macro: rounded(macroType) }),
      ...(structure === undefined ? {} : { structure: rounded(structure.score) }),
      empty,
    }
  }
  return scores
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000

/** What a caller of the service gets. Only the weights are exchanged, so that all else is as it is shipped. */
export function markdownOf(sample: Pick<Sample, 'url' | 'html'>, used: Model): string {
  Object.assign(model(), used)
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
