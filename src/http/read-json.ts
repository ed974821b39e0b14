import { isUtf8 } from 'node:buffer'
import { bounds, exceeds } from '../base/bounds.ts'
import { AppError } from '../base/errors.ts'
import { parseCallerJson } from '../base/parse-json.ts'
import { beyondJsonBounds } from './scan-json.ts'

/** Bytes → JSON value. Broken text is refused rather than mended, and no key may reach an object's prototype. */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.')
  const bound = beyondJsonBounds(bytes)
  if (bound) {
    const detail = { bound, most: bounds[bound].most, details: [] }
    throw new AppError('BAD_REQUEST', detail, { message: exceeds(bound) })
  }
  const text = bytes.toString()
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
