import { isUtf8 } from 'node:buffer'
import { type BoundName, bounds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { findExceededJsonLimit, parseCallerJson } from '../../platform/json/json.ts'
import { boundError } from './request-bounds.ts'

export function readJson(bytes: Buffer): unknown {
  checkJsonBytes(bytes)
  return parseJson(bytes.toString())
}

export function checkJsonBytes(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw createInvalidJsonError('The body is not valid UTF-8.')
  const bound = findExceededJsonBound(bytes)
  if (bound) throw boundError(bound)
}

export function parseJson(text: string): unknown {
  try {
    return parseCallerJson(text, () => {
      throw createInvalidJsonError('The body has a key named __proto__, which is not allowed.')
    })
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    throw createInvalidJsonError(
      `The body is not valid JSON: ${thrown instanceof Error ? thrown.message : thrown}`,
    )
  }
}

const createInvalidJsonError = (message: string) => new AppError('BAD_REQUEST_INVALID_JSON', {}, { message })

const limits = { levels: bounds.MAX_JSON_DEPTH.most, values: bounds.MAX_JSON_VALUES.most }

export function findExceededJsonBound(bytes: Buffer): BoundName | undefined {
  const exceeded = findExceededJsonLimit(bytes, limits)
  return exceeded && (exceeded === 'levels' ? 'MAX_JSON_DEPTH' : 'MAX_JSON_VALUES')
}
