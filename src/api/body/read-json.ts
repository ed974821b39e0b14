import { isUtf8 } from 'node:buffer'
import { type BoundName, bounds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { jsonBeyond, parseCallerJson } from '../../platform/json/json.ts'
import { boundError } from './request-bounds.ts'

/** Bytes → JSON value. Broken text is refused rather than mended, and no key may reach an object's prototype. */
export function readJson(bytes: Buffer): unknown {
  return parseJson(jsonText(bytes))
}

/** The text of a body, within the bounds of JSON. */
export function jsonText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.')
  const bound = findExceededJsonBound(bytes)
  if (bound) throw boundError(bound)
  return bytes.toString()
}

export function parseJson(text: string): unknown {
  try {
    return parseCallerJson(text, refusePrototype)
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    throw invalid(`The body is not valid JSON: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

function refusePrototype(): never {
  throw invalid('The body has a key named __proto__, which is not allowed.')
}

function invalid(message: string): AppError {
  return new AppError('BAD_REQUEST_INVALID_JSON', {}, { message })
}

const most = { levels: bounds.MAX_JSON_DEPTH.most, values: bounds.MAX_JSON_VALUES.most }

/** The bound that a JSON text goes beyond. */
export function findExceededJsonBound(bytes: Buffer): BoundName | undefined {
  const beyond = jsonBeyond(bytes, most)
  return beyond && (beyond === 'levels' ? 'MAX_JSON_DEPTH' : 'MAX_JSON_VALUES')
}
