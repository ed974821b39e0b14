import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { featureNames } from '../../src/content/main-content/features.ts'
import type { Tables } from '../../src/content/main-content/page-analysis.ts'
import { loadDocumentation } from './documentation.ts'
import { dumpFeatures, dumpTokens } from './dump.ts'
import type { Folds, Scores } from './evaluate.ts'
import { foldOf, keyOf, loadBenchmark, type Sample } from './samples.ts'
import { formatScores } from './scores.ts'

const usage = `node bench/content-model/train.ts --python PATH [--keep FOLDER] [--write]
node bench/content-model/train.ts --evaluate FOLDER [--write]

--python PATH      learn: a Python with the packages of requirements.txt
--keep FOLDER      where the models of the folds, of the training pages and of all pages are left
--evaluate FOLDER  do not learn: take the models that --keep has left there
--write            make the model of all pages, with its figures, the one that is shipped`

const weightsPath = fileURLToPath(new URL('../../src/content/main-content/weights.json', import.meta.url))

/** Metadata of a folder of models. */
interface Origin {
  versions: Record<string, string>
  folds: Folds
  /** Note for readers of the figures, if the models were not created by this command alone. */
  note?: string
}

const { values } = parseArgs({
  options: {
    python: { type: 'string' },
    keep: { type: 'string' },
    evaluate: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
if ((values.python === undefined) === (values.evaluate === undefined)) {
  console.error(usage)
  process.exit(1)
}
const benchmark = await loadBenchmark()
const temporary = mkdtempSync(join(tmpdir(), 'winnow-content-model-'))
try {
  if (values.python !== undefined) {
    trainModels([...benchmark.samples, ...(await loadDocumentation())], values.python, temporary)
  }
  const models = values.evaluate ?? join(temporary, 'models')
  if (values.keep !== undefined) cpSync(models, values.keep, { recursive: true })
  await evaluateModels(models)
} finally {
  rmSync(temporary, { recursive: true })
}

function trainModels(samples: Sample[], python: string, folder: string): void {
  const program = fileURLToPath(new URL('train.py', import.meta.url))
  const run = (step: string) => execFileSync(python, [program, step, folder], { stdio: 'inherit' })
  const trainingPages = dumpTokens(samples, folder)
  run('tables')
  const tables = readTables(join(folder, 'tables.json'))
  dumpFeatures(trainingPages, { folder, name: 'features' }, (sample) => tables(`without-${foldOf(sample)}`))
  const trainSplitPages = trainingPages.filter(({ sample }) => sample.split === 'train')
  dumpFeatures(trainSplitPages, { folder, name: 'train-features' }, (sample) =>
    tables(`train-without-${foldOf(sample)}`),
  )
  run('forests')
  const versions = readJson<Origin['versions']>(join(folder, 'versions.json'))
  const folds = Object.fromEntries(samples.map((sample) => [keyOf(sample), foldOf(sample)]))
  const origin: Origin = { versions: { node: process.versions.node, ...versions }, folds }
  writeFileSync(join(folder, 'models', 'origin.json'), JSON.stringify(origin))
}

function readTables(path: string): (name: string) => Tables {
  const encodedTables = readJson<Record<string, { names: string; words: string }>>(path)
  const decodeBytes = (text: string) => new Int8Array(Buffer.from(text, 'base64'))
  const tables = new Map(
    Object.entries(encodedTables).map(([name, { names, words }]) => [
      name,
      { names: decodeBytes(names), words: decodeBytes(words) },
    ]),
  )
  return (name) => {
    const namedTables = tables.get(name)
    if (namedTables === undefined) throw new Error(`train.py made no tables called ${name}.`)
    return namedTables
  }
}

async function evaluateModels(folder: string): Promise<void> {
  const all = readJson<object>(join(folder, 'all.json'))
  const origin = readJson<Origin>(join(folder, 'origin.json'))
  const shipped = readJson<{ features: string[] }>(weightsPath)
  // The service does not start with weights of other features, so the new weights are written first.
  if (shipped.features.join() !== featureNames.join()) {
    if (!values.write) throw new Error('The features are new: only with --write can they be tried.')
    writeJson(weightsPath, all)
  }
  const { evaluate } = await import('./evaluate.ts')
  const scores = evaluate(benchmark, folder, origin.folds)
  const { formatDocumentationScores, scoreDocumentation } = await import('./documentation-scores.ts')
  const documentation = await scoreDocumentation(folder)
  console.log(`${formatScores(scores)}\n\n${formatDocumentationScores(documentation)}`)
  if (values.write) {
    writeJson(weightsPath, { figures: { ...createFigures(scores, origin), documentation }, ...all })
  }
}

function createFigures(scores: Scores, { versions, note }: Origin): object {
  const count = (split: string) => benchmark.samples.filter((sample) => sample.split === split).length
  const option = values.python === undefined ? '--evaluate FOLDER' : '--python PATH'
  return {
    ...scores,
    pages: { training: count('train'), development: count('dev') },
    date: new Date().toISOString().slice(0, 10),
    versions,
    command: `node bench/content-model/train.ts ${option} --write`,
    ...(note === undefined ? {} : { note }),
  }
}

/** Reads a file that this program or train.py has written. The caller passes its type. */
function readJson<Shape>(path: string): Shape {
  return JSON.parse(readFileSync(path, 'utf8')) as Shape
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
