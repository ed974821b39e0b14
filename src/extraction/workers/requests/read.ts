import { packParts } from '../../page-parts/parts.ts'
import { classifyAndRead } from '../classify-and-read.ts'
import type { Reading, ReadRequestMessage } from '../messages.ts'
import { createPartSerializer } from '../serialize-parts.ts'
import type { Done } from './request-kind.ts'

export async function run(request: ReadRequestMessage): Promise<Done> {
  const { options, maxBytes, later } = request
  const { judgement, made, makeSearch } = await classifyAndRead(request.page, request)
  const done: Reading = made
    ? { judgement, made: packParts(made, createPartSerializer(maxBytes)), texts: options.site?.noted }
    : { judgement, made, texts: undefined }
  const afterwards = () => {
    if (later && makeSearch) {
      const fields = makeSearch()
      later.postMessage(fields, [fields.buffer])
    }
  }
  return { done, afterwards }
}
