import { serveProcess } from '../../platform/child/serve-requests.ts'
import { openModel, type SentenceModel } from './open-model.ts'

export interface ModelRequest {
  folder: string
  texts: readonly string[]
}

export type ModelReply = { vectors: Int8Array[] } | { obstacle: string }

let opening: Promise<SentenceModel> | undefined

/** The script of the process of the sentence model: the only place where the native library is loaded. */
serveProcess(async ({ folder, texts }: ModelRequest): Promise<ModelReply> => {
  opening ??= openModel(folder)
  let model: SentenceModel
  try {
    model = await opening
  } catch (cause) {
    return { obstacle: cause instanceof Error ? cause.message : String(cause) }
  }
  const vectors: Int8Array[] = []
  for (const text of texts) vectors.push(await model.embed(text))
  return { vectors }
})
