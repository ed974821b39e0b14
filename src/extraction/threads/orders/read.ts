import { packParts } from '../../page-data/parts.ts'
import { packer } from '../carry.ts'
import { judgeAndRead } from '../judge-and-read.ts'
import type { Reading, ReadingOrder } from '../messages.ts'
import type { Done } from './order-kind.ts'

export async function run(order: ReadingOrder): Promise<Done> {
  const { options, mostBytes, later } = order
  const { judgement, made, makeSearch } = await judgeAndRead(order.page, order)
  const done: Reading = made
    ? { judgement, made: packParts(made, packer(mostBytes)), texts: options.site?.noted }
    : { judgement, made, texts: undefined }
  const afterwards = () => {
    if (later && makeSearch) {
      const fields = makeSearch()
      later.postMessage(fields, [fields.buffer])
    }
  }
  return { done, afterwards }
}
