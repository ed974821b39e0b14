import { decodeHTML } from 'entities'
import { parseForeignJson } from '../../base/parse-json.ts'
import { readLiteral } from './literal.ts'

/** A block above this size is not a description of the page, and would be paid for in time and memory. */
const maxLength = 4_000_000

/** JSON as pages hold it: wrapped for old parsers, escaped for HTML, or written by hand. */
export function readJson(text: string): unknown {
  if (text.length > maxLength) return undefined
  try {
    return parseForeignJson(text)
  } catch {
    return readLiteral(unescaped(unwrapped(text)))?.value
  }
}

const opening = /^(?:\s|\uFEFF|<!--|<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[)+/

/** What hid scripts from old browsers and from XML. What follows the value does not matter to its reader. */
function unwrapped(text: string): string {
  return text.replace(opening, '')
}

function unescaped(text: string): string {
  return /^[{[][{[\s]{0,20}&(?:quot|#34|#x22);/i.test(text) ? decodeHTML(text) : text
}
