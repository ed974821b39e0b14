import { enableCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import type { MadeParts } from '../content/parts.ts'
import type { ReadingAnswer, ReadingOrder } from './reading.ts'

// Before the rest is loaded, as in the main thread.
enableCompileCache()

const { readPage } = await import('../content/content.ts')
const { makeParts } = await import('../content/parts.ts')

function read({ page, options, parts }: ReadingOrder): ReadingAnswer {
  try {
    const made = makeParts(readPage(page, options), parts)
    return { made, texts: options.site?.noted }
  } catch (problem) {
    return { problem }
  }
}

/** The arrays of a tree are handed over, not copied. */
function arraysIn({ tree }: MadeParts): ArrayBuffer[] {
  if (!tree) return []
  const { attributes, ...own } = tree.value
  const arrays = [...Object.values(own), ...Object.values(attributes)].filter(ArrayBuffer.isView)
  // None of them is shared: they were made in this thread.
  return arrays.map(({ buffer }) => buffer as ArrayBuffer)
}

parentPort?.on('message', (order: ReadingOrder) => {
  const answer = read(order)
  parentPort?.postMessage(answer, 'made' in answer ? arraysIn(answer.made) : [])
})
