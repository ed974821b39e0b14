import { appendFileSync, closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Blocks, readBlocks } from '../../src/content/main-content/blocks.ts'
import { maxNameBuckets, writeNameBuckets } from '../../src/content/main-content/class-name-features.ts'
import { featureNames, forEachFeatureRow } from '../../src/content/main-content/features.ts'
import { readEvidence, type Tables } from '../../src/content/main-content/page-analysis.ts'
import { isWrittenInNoscript } from '../../src/content/select-content.ts'
import { listedTags } from '../../src/content/tree/names.ts'
import { parseHtml } from '../../src/content/tree/parse.ts'
import { type Node, root, type Tree } from '../../src/content/tree/tree.ts'
import { type Labels, labelsOf } from './labels.ts'
import { foldOf, type Sample } from './samples.ts'

/** Page with its labelled blocks, in document order. */
export interface TrainingPage {
  sample: Sample
  blocks: Int32Array
}

/**
 * Writes class names and words of the blocks of all pages as rows of buckets, and the labels of the blocks. The files
 * are raw arrays of numbers, which NumPy reads directly; `pages.json` contains the number of rows per page.
 */
export function dumpTokens(samples: Sample[], folder: string): TrainingPage[] {
  const files = {
    shares: openArray(folder, 'shares'),
    weights: openArray(folder, 'weights'),
    names: openArray(folder, 'names'),
    nameCounts: openArray(folder, 'name-counts'),
    words: openArray(folder, 'words'),
    wordCounts: openArray(folder, 'word-counts'),
  }
  const trainingPages = samples.map((sample) => {
    const tree = parseHtml(sample.html)
    const blocks = readBlocks(tree, isWrittenInNoscript(tree, [root]))
    const labels = labelsOf(tree, blocks, sample)
    const labelledBlocks = findLabelledBlocks(blocks, labels)
    files.shares.add(pick(labels.shares, labelledBlocks))
    files.weights.add(pick(labels.weights, labelledBlocks))
    const names = collectNames(tree, blocks, labelledBlocks)
    files.names.add(Uint16Array.from(names.flat()))
    files.nameCounts.add(Uint16Array.from(names, (row) => row.length))
    const words = Array.from(labelledBlocks, (block) => getWords(blocks, block))
    files.words.add(Uint16Array.from(words.flatMap((row) => [...row])))
    files.wordCounts.add(Uint16Array.from(words, (row) => row.length))
    return { sample, blocks: labelledBlocks }
  })
  for (const file of Object.values(files)) file.close()
  writeFileSync(join(folder, 'pages.json'), JSON.stringify(createIndex(trainingPages)))
  return trainingPages
}

function createIndex(trainingPages: TrainingPage[]): object {
  return {
    features: featureNames,
    tags: listedTags.join(' ').trim(),
    pages: trainingPages.map(({ sample, blocks }) => ({
      set: sample.set,
      split: sample.split,
      fold: foldOf(sample),
      rows: blocks.length,
    })),
  }
}

function findLabelledBlocks(blocks: Blocks, labels: Labels): Int32Array {
  const found: number[] = []
  for (let block = 0; block < blocks.count; block += 1) {
    if ((labels.shares[block] ?? -1) >= 0 && (labels.weights[block] ?? 0) > 0) found.push(block)
  }
  return Int32Array.from(found)
}

const pick = (values: Float32Array, indexes: Int32Array) =>
  Float32Array.from(indexes, (index) => values[index] ?? 0)

/** Returns the buckets of the class names of all elements around each block, innermost first. */
function collectNames(tree: Tree, blocks: Blocks, labelledBlocks: Int32Array): number[][] {
  const namesByElement = new Map<Node, number[]>()
  const nameBuffer = new Int32Array(maxNameBuckets)
  const getNames = (element: Node) => {
    const cachedNames = namesByElement.get(element)
    if (cachedNames) return cachedNames
    const names = [...nameBuffer.subarray(0, writeNameBuckets(tree, element, nameBuffer))]
    namesByElement.set(element, names)
    return names
  }
  return Array.from(labelledBlocks, (block) => {
    const names: number[] = []
    let element = tree.parents[blocks.firsts[block] ?? root] ?? root
    for (; element > root; element = tree.parents[element] ?? root) names.push(...getNames(element))
    return names
  })
}

const getWords = (blocks: Blocks, block: number) =>
  blocks.buckets.subarray(blocks.bucketStarts[block], blocks.bucketStarts[block + 1])

/** Writes the rows of features. Each page is read with tables that were not trained on its site. */
export function dumpFeatures(
  trainingPages: TrainingPage[],
  path: { folder: string; name: string },
  tablesFor: (sample: Sample) => Tables,
): void {
  const file = openArray(path.folder, path.name)
  const width = featureNames.length
  for (const { sample, blocks } of trainingPages) {
    const tree = parseHtml(sample.html)
    const readsNoscript = isWrittenInNoscript(tree, [root])
    const evidence = readEvidence({ tree, url: sample.url, readsNoscript }, tablesFor(sample))
    const rows = new Float32Array(blocks.length * width)
    let rowCount = 0
    forEachFeatureRow(evidence, (block, row) => {
      if (blocks[rowCount] !== block) return
      rows.set(row, rowCount * width)
      rowCount += 1
    })
    file.add(rows)
  }
  file.close()
}

interface ArrayFile {
  add(values: Float32Array | Uint16Array): void
  close(): void
}

function openArray(folder: string, name: string): ArrayFile {
  const file = openSync(join(folder, `${name}.bin`), 'w')
  return {
    add: (values) =>
      appendFileSync(file, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
    close: () => closeSync(file),
  }
}
