import { serveProcess } from '../../platform/child/serve-requests.ts'
import { openModel, type SentenceModel } from './open-model.ts'

export interface ModelRequest {
  folder: string
  texts: readonly string[]
}

export type ModelReply = { vectors: Int8Array[] } | { obstacle: string }

let modelPromise: Promise<SentenceModel> | undefined

/** Script of the sentence model's process. No other process loads the native library. */
serveProcess(async ({ folder, texts }: ModelRequest): Promise<ModelReply> => {
  modelPromise ??= openModel(folder)
  let model: SentenceModel
  try {
    model = await modelPromise
  } catch (cause) {
    return { obstacle: cause instanceof Error ? cause.message : String(cause) }
  }
  const vectors: Int8Array[] = []
  for (const text of texts) vectors.push(await model.embed(text))
  return { vectors }
})
