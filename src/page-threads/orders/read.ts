import { type NowOrLater, proceed } from '../../base/functions.ts'
import { carriedParts } from '../carry.ts'
import { type JudgedPage, judgeAndRead } from '../judge-and-read.ts'
import type { Reading, ReadingOrder } from '../messages.ts'
import type { Done } from './order-kind.ts'

export function run(order: ReadingOrder): NowOrLater<Done> {
  return proceed(judgeAndRead(order.page, order), (judged) => {
    const { makeSearch } = judged
    const { later } = order
    const afterwards = () => {
      if (later && makeSearch) {
        const fields = makeSearch()
        later.postMessage(fields, [fields.buffer])
      }
    }
    return { done: readingOf(order, judged), afterwards }
  })
}

function readingOf({ options, mostBytes }: ReadingOrder, { judgement, made }: JudgedPage): Reading {
  if (!made) return { judgement, made, texts: undefined }
  return { judgement, made: carriedParts(made, mostBytes), texts: options.site?.noted }
}
