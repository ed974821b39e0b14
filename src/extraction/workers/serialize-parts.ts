import { AppError } from '../../platform/errors.ts'
import { JsonText } from '../../platform/json/json.ts'
import { jsonBytesSync, jsonSize } from '../../platform/json/write-json.ts'
import type { Pack } from '../page-parts/parts/part.ts'

/** A longer value is transferred as the bytes of its JSON. */
const maxClonedSize = 128 * 1024

/** The size limit is for all values together. The bytes are transferred between threads without a copy. */
export function createPartSerializer(maxBytes: number): Pack {
  let remainingBytes = maxBytes
  return {
    json<Value>(value: Value): Value | JsonText {
      const size = jsonSize(value, maxClonedSize)
      if (size <= maxClonedSize) {
        remainingBytes -= size
        return value
      }
      const serialized = jsonBytesSync(value, remainingBytes)
      if (!serialized) throw replyTooLarge(maxBytes)
      remainingBytes -= serialized.length
      // `deserializePart` converts this object into a JsonText in the receiving thread.
      return { packed: serialized } as unknown as JsonText
    },
    utf8: (text) => (text.length > maxClonedSize ? new TextEncoder().encode(text) : text),
  }
}

export function buffersIn(reply: unknown): ArrayBuffer[] {
  if (reply instanceof Uint8Array) return [reply.buffer as ArrayBuffer]
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) return []
  return Object.values(reply).flatMap(buffersIn)
}

export function deserializePart<Value>(value: Value): Value {
  // The declared type already has JsonText for serialized values.
  return restoreJson(value) as Value
}

function restoreJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array) {
    return value
  }
  if ('packed' in value && value.packed instanceof Uint8Array) return JsonText.ofBytes(value.packed)
  for (const [name, propertyValue] of Object.entries(value)) {
    if (typeof propertyValue === 'object')
      (value as Record<string, unknown>)[name] = restoreJson(propertyValue)
  }
  return value
}

function replyTooLarge(maxBytes: number): AppError {
  const maxMegabytes = Math.floor(maxBytes / 1024 / 1024)
  const message = `The answer would be larger than the ${maxMegabytes} MB of MAX_ANSWER_MB. Ask for fewer formats, or for parts of the page.`
  const detail = { phase: 'render', bound: 'MAX_ANSWER_MB', most: maxMegabytes } as const
  return new AppError('SCRAPE_PAGE_TOO_LARGE', detail, { message })
}

/** Checks the size again, because values may have been added to the parts of a document. */
export function assertReplySize(document: unknown, maxBytes: number): void {
  if (jsonSize(document, maxBytes) > maxBytes) throw replyTooLarge(maxBytes)
}
