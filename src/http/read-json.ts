import { isUtf8 } from 'node:buffer'
import { type BoundName, bounds } from '../base/bounds.ts'
import { AppError } from '../base/errors.ts'
import { parseCallerJson } from '../base/json.ts'
import { boundError } from './request-bounds.ts'

/** Bytes → JSON value. Broken text is refused rather than mended, and no key may reach an object's prototype. */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.')
  const bound = beyondJsonBounds(bytes)
  if (bound) throw boundError(bound)
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

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * The bound that a JSON text goes beyond, told from its brackets and commas without parsing it: a text of nothing but
 * brackets or short values takes many times its size in memory, and a second to build, whatever becomes of it afterwards.
 */
export function beyondJsonBounds(bytes: Buffer): BoundName | undefined {
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at)
    else if (byte === comma) values += 1
    else if (byte === openList || byte === openObject) {
      depth += 1
      values += 1
      if (depth > bounds.MAX_JSON_DEPTH.most) return 'MAX_JSON_DEPTH'
    } else if (byte === closeList || byte === closeObject) depth -= 1
    if (values > bounds.MAX_JSON_VALUES.most) return 'MAX_JSON_VALUES'
  }
  return undefined
}

/** Where a string ends that begins at `start`; the end of the text where it never does. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === backslash) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return bytes.length
}
