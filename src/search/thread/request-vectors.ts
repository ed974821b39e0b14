import type { MessagePort } from 'node:worker_threads'
import type { PermitOwner } from '../../base/permits.ts'
import type { EmbedMessage, ThreadOutcome, VectorsMessage } from './messages.ts'

export type EmbedTexts = (texts: string[], who: PermitOwner) => Promise<ThreadOutcome>

/** Requests vectors from the main thread, which has the process of the sentence model. */
export function requestVectors(port: Pick<MessagePort, 'postMessage'>): {
  embed: EmbedTexts
  receive(message: VectorsMessage): void
} {
  const waiting = new Map<number, (outcome: ThreadOutcome) => void>()
  let lastId = 0
  return {
    embed(texts, who) {
      lastId += 1
      const embedId = lastId
      const { promise, resolve } = Promise.withResolvers<ThreadOutcome>()
      waiting.set(embedId, resolve)
      port.postMessage({ embedId, texts, who } satisfies EmbedMessage)
      return promise
    },
    receive({ embedId, outcome }) {
      waiting.get(embedId)?.(outcome)
      waiting.delete(embedId)
    },
  }
}
