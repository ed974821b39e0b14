import { parentPort } from 'node:worker_threads'
import { AppError } from '../base/errors.ts'
import { isSameText, unifiedDiff } from '../content/diff.ts'
import { buffersIn, carriedParts, packer } from './carry.ts'
import { judgeAndRead } from './judge-and-read.ts'
import type {
  ComparedVersions,
  ComparingOrder,
  Reading,
  ReadingOrder,
  ThreadAnswer,
  ThreadOrder,
} from './messages.ts'

/** What is done once the answer is on its way. */
let afterwards: (() => void) | undefined

function answer(order: ThreadOrder): ThreadAnswer {
  try {
    return { done: order.kind === 'read' ? read(order) : compare(order) }
  } catch (problem) {
    return problem instanceof AppError ? { refused: problem.toStored() } : { problem }
  }
}

function read({ page, options, wishes, judging, mostBytes, later }: ReadingOrder): Reading {
  const { judgement, made, makeSearch } = judgeAndRead(page, { options, wishes, judging })
  afterwards = () => {
    if (later && makeSearch) {
      const fields = makeSearch()
      later.postMessage(fields, [fields.buffer])
    }
  }
  if (!made) return { judgement, made, texts: undefined }
  return { judgement, made: carriedParts(made, mostBytes), texts: options.site?.noted }
}

function compare({ previous, current, showsDifference, mostBytes }: ComparingOrder): ComparedVersions {
  const [before, now] = [previous, current].map((bytes) => new TextDecoder().decode(bytes)) as [
    string,
    string,
  ]
  const isSame = isSameText(before, now)
  if (isSame || !showsDifference) return { isSame, difference: undefined }
  const { text, files } = unifiedDiff(before, now)
  const carry = packer(mostBytes)
  return { isSame, difference: { text: carry(text), files: carry(files) } }
}

parentPort?.on('message', (order: ThreadOrder) => {
  const made = answer(order)
  parentPort?.postMessage(made, buffersIn(made))
  const { later } = order.kind === 'read' ? order : {}
  try {
    afterwards?.()
  } catch {
    // The page can be scraped, if not searched.
  } finally {
    afterwards = undefined
    later?.close()
  }
})
