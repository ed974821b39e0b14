import { appendFileSync, closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Blocks, readBlocks } from '../../src/content/main-content/blocks.ts'
import { maxNames, nameBuckets } from '../../src/content/main-content/class-name-features.ts'
import { eachRow, featureNames } from '../../src/content/main-content/features.ts'
import { readEvidence, type Tables } from '../../src/content/main-content/page-analysis.ts'
import { isWrittenInNoscript } from '../../src/content/select-content.ts'
import { listedTags } from '../../src/content/tree/names.ts'
import { parseHtml } from '../../src/content/tree/parse.ts'
import { type Node, root, type Tree } from '../../src/content/tree/tree.ts'
import { type Labels, labelsOf } from './labels.ts'
import { foldOf, type Sample } from './samples.ts'

/** A page and those of its blocks that teach something, in order. */
export interface Lesson {
  sample: Sample
  blocks: Int32Array
}

/**
 * Writes what the blocks of all pages are called and say, as rows of buckets, and their labels, as bare arrays
 * of numbers that NumPy reads in one go; `pages.json` says which rows are whose.
 */
export function dumpTokens(samples: Sample[], folder: string): Lesson[] {
  const files = {
    shares: openArray(folder, 'shares'),
    weights: openArray(folder, 'weights'),
    names: openArray(folder, 'names'),
    nameCounts: openArray(folder, 'name-counts'),
    words: openArray(folder, 'words'),
    wordCounts: openArray(folder, 'word-counts'),
  }
  const lessons = samples.map((sample) => {
    const tree = parseHtml(sample.html)
    const blocks = readBlocks(tree, isWrittenInNoscript(tree, [root]))
    const labels = labelsOf(tree, blocks, sample)
    const taught = taughtBlocks(blocks, labels)
    files.shares.add(pick(labels.shares, taught))
    files.weights.add(pick(labels.weights, taught))
    const names = namesAround(tree, blocks, taught)
    files.names.add(Uint16Array.from(names.flat()))
    files.nameCounts.add(Uint16Array.from(names, (row) => row.length))
    const words = Array.from(taught, (block) => wordsOf(blocks, block))
    files.words.add(Uint16Array.from(words.flatMap((row) => [...row])))
    files.wordCounts.add(Uint16Array.from(words, (row) => row.length))
    return { sample, blocks: taught }
  })
  for (const file of Object.values(files)) file.close()
  writeFileSync(join(folder, 'pages.json'), JSON.stringify(indexOf(lessons)))
  return lessons
}

function indexOf(lessons: Lesson[]): object {
  return {
    features: featureNames,
    tags: listedTags.join(' ').trim(),
    pages: lessons.map(({ sample, blocks }) => ({
      set: sample.set,
      split: sample.split,
      fold: foldOf(sample),
      rows: blocks.length,
    })),
  }
}

function taughtBlocks(blocks: Blocks, labels: Labels): Int32Array {
  const found: number[] = []
  for (let block = 0; block < blocks.count; block += 1) {
    if ((labels.shares[block] ?? -1) >= 0 && (labels.weights[block] ?? 0) > 0) found.push(block)
  }
  return Int32Array.from(found)
}

const pick = (values: Float32Array, places: Int32Array) =>
  Float32Array.from(places, (place) => values[place] ?? 0)

/** The names of all elements around each block, innermost first. */
function namesAround(tree: Tree, blocks: Blocks, taught: Int32Array): number[][] {
  const own = new Map<Node, number[]>()
  const found = new Int32Array(maxNames)
  const namesOf = (element: Node) => {
    const known = own.get(element)
    if (known) return known
    const names = [...found.subarray(0, nameBuckets(tree, element, found))]
    own.set(element, names)
    return names
  }
  return Array.from(taught, (block) => {
    const names: number[] = []
    let element = tree.parents[blocks.firsts[block] ?? root] ?? root
    for (; element > root; element = tree.parents[element] ?? root) names.push(...namesOf(element))
    return names
  })
}

const wordsOf = (blocks: Blocks, block: number) =>
  blocks.buckets.subarray(blocks.bucketStarts[block], blocks.bucketStarts[block + 1])

/** Writes the rows of features, each page read with tables that have not seen its site. */
export function dumpFeatures(
  lessons: Lesson[],
  path: { folder: string; name: string },
  tablesFor: (sample: Sample) => Tables,
): void {
  const file = openArray(path.folder, path.name)
  const width = featureNames.length
  for (const { sample, blocks } of lessons) {
    const tree = parseHtml(sample.html)
    const readsNoscript = isWrittenInNoscript(tree, [root])
    const evidence = readEvidence({ tree, url: sample.url, readsNoscript }, tablesFor(sample))
    const rows = new Float32Array(blocks.length * width)
    let taught = 0
    eachRow(evidence, (block, row) => {
      if (blocks[taught] !== block) return
      rows.set(row, taught * width)
      taught += 1
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
