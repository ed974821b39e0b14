import { packParts } from '../../page-parts/parts.ts'
import { classifyAndRead } from '../classify-and-read.ts'
import type { ReadRequestMessage, ReadResult } from '../messages.ts'
import { createPartSerializer } from '../serialize-parts.ts'
import type { RequestResult } from './request-kind.ts'

export async function run(request: ReadRequestMessage): Promise<RequestResult> {
  const { options, maxBytes, later } = request
  const { classification, builtParts, makeSearch } = await classifyAndRead(request.page, request)
  const reply: ReadResult = builtParts
    ? {
        classification,
        builtParts: packParts(builtParts, createPartSerializer(maxBytes)),
        texts: options.site?.lastTexts,
      }
    : { classification, builtParts, texts: undefined }
  const runAfterReply = () => {
    if (later && makeSearch) {
      const fields = makeSearch()
      later.postMessage(fields, [fields.buffer])
    }
  }
  return { reply, runAfterReply }
}
