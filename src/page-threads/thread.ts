import { parentPort } from 'node:worker_threads'
import { AppError } from '../base/errors.ts'
import { type NowOrLater, proceed } from '../base/now-or-later.ts'
import { isSameText, unifiedDiff } from '../content/diff.ts'
import { valueChanges } from '../content/value-changes.ts'
import { exportDocument } from '../page-data/export-document.ts'
import { buffersIn, carriedParts, packer } from './carry.ts'
import { type JudgedPage, judgeAndRead } from './judge-and-read.ts'
import type {
  ComparedVersions,
  ComparingOrder,
  Exported,
  ExportingOrder,
  Reading,
  ReadingOrder,
  ThreadAnswer,
  ThreadOrder,
} from './messages.ts'

/** What is done once the answer is on its way. */
let afterwards: (() => void) | undefined

function answer(order: ThreadOrder): NowOrLater<ThreadAnswer> {
  try {
    const done = work(order)
    return done instanceof Promise ? done.then((found) => ({ done: found }), failed) : { done }
  } catch (problem) {
    return failed(problem)
  }
}

function work(order: ThreadOrder): NowOrLater<Reading | ComparedVersions | Exported> {
  if (order.kind === 'read') return read(order)
  return order.kind === 'compare' ? compare(order) : exported(order)
}

function exported({ document, form }: ExportingOrder): Exported {
  const { url, text } = exportDocument(decoded(document), form)
  return { url, text: text === undefined ? undefined : new TextEncoder().encode(text) }
}

function failed(problem: unknown): ThreadAnswer {
  return problem instanceof AppError ? { refused: problem.toStored() } : { problem }
}

function read(order: ReadingOrder): NowOrLater<Reading> {
  return proceed(judgeAndRead(order.page, order), (judged) => carried(order, judged))
}

function carried({ options, mostBytes, later }: ReadingOrder, judged: JudgedPage): Reading {
  const { judgement, made, makeSearch } = judged
  afterwards = () => {
    if (later && makeSearch) {
      const fields = makeSearch()
      later.postMessage(fields, [fields.buffer])
    }
  }
  if (!made) return { judgement, made, texts: undefined }
  return { judgement, made: carriedParts(made, mostBytes), texts: options.site?.noted }
}

function compare({
  previous,
  current,
  showsDifference,
  values,
  mostBytes,
}: ComparingOrder): ComparedVersions {
  const [before, now] = [decoded(previous), decoded(current)]
  const carry = packer(mostBytes)
  const isSame = isSameText(before, now)
  const shown = isSame || !showsDifference ? undefined : unifiedDiff(before, now)
  const compared = values && valueChanges(decoded(values.previous), decoded(values.current))
  return {
    isSame,
    difference: shown && { text: carry(shown.text), files: carry(shown.files) },
    values: compared && { ...compared, changes: carry(compared.changes) },
  }
}

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

function finish(order: ThreadOrder, made: ThreadAnswer): void {
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
}

// The next order comes when this one is answered.
parentPort?.on('message', (order: ThreadOrder) => {
  void proceed(answer(order), (made) => finish(order, made))
})
