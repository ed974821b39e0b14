import { AppError } from '../../platform/errors.ts'
import { JsonText } from '../../platform/json/json.ts'
import { jsonBytesAtOnce, jsonSize } from '../../platform/json/write-json.ts'
import type { Pack } from '../page-parts/parts/part.ts'

/** A value up to here is cloned as it is; a longer one travels as the bytes that will be sent. */
const largestValue = 128 * 1024

/** Packs values within a bound that holds for all of them together, as bytes that change threads without being copied. */
export function createPartSerializer(maxBytes: number): Pack {
  let left = maxBytes
  return {
    json<Value>(value: Value): Value | JsonText {
      const size = jsonSize(value, largestValue)
      if (size <= largestValue) {
        left -= size
        return value
      }
      const packed = jsonBytesAtOnce(value, left)
      if (!packed) throw answerTooLarge(maxBytes)
      left -= packed.length
      // `unpacked` makes a JsonText of it where it arrives.
      return { packed } as unknown as JsonText
    },
    utf8: (text) => (text.length > largestValue ? new TextEncoder().encode(text) : text),
  }
}

/** The buffers in an answer, which are handed over and not copied. */
export function buffersIn(answer: unknown): ArrayBuffer[] {
  if (answer instanceof Uint8Array) return [answer.buffer as ArrayBuffer]
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return []
  return Object.values(answer).flatMap(buffersIn)
}

/** What a thread has made, with what it packed as JSON. */
export function deserializePart<Value>(value: Value): Value {
  // The type of what was packed is that of JSON already.
  return unpack(value) as Value
}

function unpack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array) {
    return value
  }
  if ('packed' in value && value.packed instanceof Uint8Array) return JsonText.ofBytes(value.packed)
  for (const [name, inside] of Object.entries(value)) {
    if (typeof inside === 'object') (value as Record<string, unknown>)[name] = unpack(inside)
  }
  return value
}

function answerTooLarge(maxBytes: number): AppError {
  const most = Math.floor(maxBytes / 1024 / 1024)
  const message = `The answer would be larger than the ${most} MB of MAX_ANSWER_MB. Ask for fewer formats, or for parts of the page.`
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'render', bound: 'MAX_ANSWER_MB', most }, { message })
}

/** For what was added to what threads have made. */
export function assertReplySize(document: unknown, maxBytes: number): void {
  if (jsonSize(document, maxBytes) > maxBytes) throw answerTooLarge(maxBytes)
}
