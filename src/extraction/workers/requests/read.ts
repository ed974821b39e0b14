import { packParts } from '../../page-parts/parts.ts'
import { classifyAndRead } from '../classify-and-read.ts'
import type { ReadRequestMessage, ReadResult } from '../messages.ts'
import { createPartSerializer } from '../serialize-parts.ts'

export async function read(
  request: ReadRequestMessage,
  afterReply: (work: () => void) => void,
): Promise<ReadResult> {
  const { options, maxBytes, later } = request
  const { classification, builtParts, makeSearch } = await classifyAndRead(request.page, request)
  const packed = builtParts && packParts(builtParts, createPartSerializer(maxBytes))
  if (later && makeSearch)
    afterReply(() => {
      const fields = makeSearch()
      later.postMessage(fields, [fields.buffer])
    })
  return { classification, builtParts: packed, texts: packed && options.site?.lastTexts }
}
