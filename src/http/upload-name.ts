import { bounds, exceeds } from '../base/bounds.ts'
import { AppError } from '../base/errors.ts'

/** Control characters, line separators, and characters that show a name in another order than it has. */
const unprintable = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff]/gu

/**
 * Returns the file name of an upload as it may be shown and stored: without folders and without characters that hide or
 * reorder other text. Throws BAD_REQUEST if it is longer than a file system would accept.
 */
export function toUploadName(sent: string): string {
  if (sent.length > bounds.MAX_FILE_NAME_LENGTH.most) {
    const detail = { details: [], bound: 'MAX_FILE_NAME_LENGTH', most: bounds.MAX_FILE_NAME_LENGTH.most }
    throw new AppError('BAD_REQUEST', detail, {
      message: `The file name is too long. ${exceeds('MAX_FILE_NAME_LENGTH')}`,
    })
  }
  const name = sent.toWellFormed().replaceAll(unprintable, '').split(/[\\/]/).at(-1)?.trim() ?? ''
  return name === '.' || name === '..' ? '' : name
}
