import { AppError } from '../base/errors.ts'
import { JsonText } from '../base/json.ts'
import { jsonBytesAtOnce, jsonSize } from '../base/write-json.ts'
import type { MadeParts } from '../page-data/parts.ts'
import type { CarriedParts, Packed } from './messages.ts'

/** A value up to here is cloned as it is; a longer one travels as the bytes that will be sent. */
const largestValue = 128 * 1024

/** Packs values within a bound that holds for all of them together. */
export function packer(mostBytes: number) {
  let left = mostBytes
  return function carry<Value>(value: Value): Value | Packed {
    const size = jsonSize(value, largestValue)
    if (size <= largestValue) {
      left -= size
      return value
    }
    const packed = jsonBytesAtOnce(value, left)
    if (!packed) throw answerTooLarge(mostBytes)
    left -= packed.length
    return { packed }
  }
}

export function carriedParts(made: MadeParts, mostBytes: number): CarriedParts {
  const carry = packer(mostBytes)
  const carried: CarriedParts = { ...made }
  for (const name of ['markdown', 'html', 'rawHtml', 'links', 'images'] as const) {
    const part = made[name]
    if (part) carried[name] = { ...part, value: carry(part.value) }
  }
  const { product, attributes, tracked, trackedValues, json, blocks } = made
  if (product?.value.ok) {
    carried.product = { ...product, value: { ok: true, product: carry(product.value.product) } }
  }
  if (attributes && 'found' in attributes.value) {
    carried.attributes = { ...attributes, value: { found: carry(attributes.value.found) } }
  }
  if (json) {
    const { value, evidence } = json.value
    carried.json = { ...json, value: { ...json.value, value: carry(value), evidence: carry(evidence) } }
  }
  if (blocks) carried.blocks = { ...blocks, value: { ...blocks.value, blocks: carry(blocks.value.blocks) } }
  if (tracked && tracked.value.length > largestValue) {
    carried.tracked = { ...tracked, value: new TextEncoder().encode(tracked.value) }
  }
  if (trackedValues && trackedValues.value.values.length > largestValue) {
    const values = new TextEncoder().encode(trackedValues.value.values)
    carried.trackedValues = { ...trackedValues, value: { ...trackedValues.value, values } }
  }
  return carried
}

/** The buffers in an answer, which are handed over and not copied. */
export function buffersIn(answer: unknown): ArrayBuffer[] {
  if (answer instanceof Uint8Array) return [answer.buffer as ArrayBuffer]
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return []
  return Object.values(answer).flatMap(buffersIn)
}

/** What a thread has packed, as the rest of the service hands it on. */
export function unpacked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array) {
    return value
  }
  if ('packed' in value && value.packed instanceof Uint8Array) return JsonText.ofBytes(value.packed)
  for (const [name, inside] of Object.entries(value)) {
    if (typeof inside === 'object') (value as Record<string, unknown>)[name] = unpacked(inside)
  }
  return value
}

function answerTooLarge(mostBytes: number): AppError {
  const most = Math.floor(mostBytes / 1024 / 1024)
  const message = `The answer would be larger than the ${most} MB of MAX_ANSWER_MB. Ask for fewer formats, or for parts of the page.`
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'render', bound: 'MAX_ANSWER_MB', most }, { message })
}

/** For what was added to what threads have made. */
export function refuseLargeAnswer(document: unknown, mostBytes: number): void {
  if (jsonSize(document, mostBytes) > mostBytes) throw answerTooLarge(mostBytes)
}
