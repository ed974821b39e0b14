import { isUtf8 } from 'node:buffer'
import { inflateSync } from 'node:zlib'

/** Size limits of one decompressed object stream, and of all together. */
const maxInOneCollection = 8 * 1024 * 1024
const maxInCollections = 64 * 1024 * 1024
/** Titles have lines, not pages. */
const maxInDictionary = 64 * 1024

/**
 * The entries of the dictionary in which a PDF says what it is called and who wrote it: the reader of its pages does not tell.
 * Nothing where there is none or where it is encrypted.
 */
export function infoDictionary(bytes: Buffer): Map<string, string> {
  const at = bytes.lastIndexOf('/Info')
  const number = /^\/Info\s+(\d{1,10})\s+\d{1,5}\s+R/.exec(bytes.toString('latin1', at, at + 40))?.[1]
  if (at === -1 || number === undefined || bytes.includes('/Encrypt')) return new Map()
  const find = finder(bytes)
  const entries = readDictionary(find(number))
  const texts = [...entries].map(([name, value]) => {
    const reference = 'reference' in value ? readValue(find(value.reference), 0).value : value
    return [name, 'text' in reference ? decoded(reference.text) : ''] as const
  })
  return new Map(texts.filter(([, text]) => text !== ''))
}

/** Objects by their numbers: standing in the file as they are, or packed together with others. */
function finder(bytes: Buffer): (number: string) => string {
  let packed: Map<string, string> | undefined
  return (number) => {
    const plain = plainObject(bytes, number)
    if (plain !== undefined) return plain
    packed ??= packedObjects(bytes)
    return packed.get(number) ?? ''
  }
}

/** The last of that number: a file that was changed has the new objects behind the old ones. */
function plainObject(bytes: Buffer, number: string): string | undefined {
  for (const word of [`\n${number} 0 obj`, `\r${number} 0 obj`, ` ${number} 0 obj`]) {
    const at = bytes.lastIndexOf(word)
    if (at !== -1) return bytes.toString('latin1', at + word.length, at + word.length + maxInDictionary)
  }
  return undefined
}

function packedObjects(bytes: Buffer): Map<string, string> {
  const found = new Map<string, string>()
  let unpacked = 0
  for (let at = bytes.lastIndexOf('/ObjStm'); at !== -1 && unpacked < maxInCollections; ) {
    const start = bytes.indexOf('stream', at)
    const head = bytes.toString('latin1', Math.max(0, at - 400), start)
    const collection = collectionAt(bytes, start, head.slice(head.lastIndexOf(' obj') + 1))
    unpacked += collection.length
    for (const [number, object] of objectsOf(collection, head))
      if (!found.has(number)) found.set(number, object)
    at = at === 0 ? -1 : bytes.lastIndexOf('/ObjStm', at - 1)
  }
  return found
}

function collectionAt(bytes: Buffer, start: number, head: string): string {
  const end = bytes.indexOf('endstream', start)
  if (start === -1 || end === -1 || /\/Predictor/.test(head)) return ''
  const from = start + 6 + (bytes[start + 6] === 13 ? 2 : 1)
  const stream = bytes.subarray(from, end)
  if (!/\/FlateDecode|\/Fl\b/.test(head)) return stream.toString('latin1')
  try {
    return inflateSync(stream, { maxOutputLength: maxInOneCollection }).toString('latin1')
  } catch {
    // Its objects are then simply not known; the pages are read by another reader.
    return ''
  }
}

/** A collection begins with the numbers and places of its objects. */
function objectsOf(collection: string, head: string): [string, string][] {
  const first = Number(/\/First\s+(\d+)/.exec(head)?.[1] ?? 0)
  const numbers = collection.slice(0, first).match(/\d+/g) ?? []
  const found: [string, string][] = []
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const start = first + Number(numbers[at + 1])
    found.push([numbers[at] ?? '', collection.slice(start, start + maxInDictionary)])
  }
  return found
}

type Value = { text: Buffer } | { reference: string } | { other: true }

function readDictionary(object: string): Map<string, Value> {
  const entries = new Map<string, Value>()
  let at = object.indexOf('<<') + 2
  if (at < 2) return entries
  while (at < object.length) {
    const name = /^[\s\0]*\/([A-Za-z]{1,40})[\s\0]*/.exec(object.slice(at, at + 200))
    if (!name) return entries
    const read = readValue(object, at + name[0].length)
    if (!entries.has(name[1] ?? '')) entries.set(name[1] ?? '', read.value)
    at = read.end
  }
  return entries
}

function readValue(object: string, from: number): { value: Value; end: number } {
  const blanks = /^[\s\0]*/.exec(object.slice(from, from + 100))?.[0].length ?? 0
  const at = from + blanks
  if (object[at] === '(') return readLiteral(object, at + 1)
  if (object[at] === '<' && object[at + 1] !== '<') {
    const end = object.indexOf('>', at)
    const hex = object.slice(at + 1, end === -1 ? at + 1 : end).replace(/[^\da-f]/gi, '')
    return {
      value: { text: Buffer.from(hex.length % 2 === 0 ? hex : `${hex}0`, 'hex') },
      end: end + 1 || object.length,
    }
  }
  const reference = /^(\d{1,10})\s+\d{1,5}\s+R/.exec(object.slice(at, at + 30))
  if (reference) return { value: { reference: reference[1] ?? '' }, end: at + reference[0].length }
  // A name or a number; whatever is nested ends the reading, as nothing of use follows it.
  const word = /^\/?[\w.+-]+/.exec(object.slice(at, at + 200))?.[0]
  return { value: { other: true }, end: word === undefined ? object.length : at + word.length }
}

const escapes: Record<string, number> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

/** Brackets may stand inside as long as they are even; a backslash before anything else protects it. */
function readLiteral(object: string, from: number): { value: Value; end: number } {
  const codes: number[] = []
  let depth = 1
  let at = from
  for (; at < object.length; at += 1) {
    const sign = object[at] ?? ''
    if (sign === '\\') {
      const octal = /^[0-7]{1,3}/.exec(object.slice(at + 1, at + 4))?.[0]
      const next = object[at + 1] ?? ''
      if (octal !== undefined) codes.push(Number.parseInt(octal, 8) & 0xff)
      else if (next !== '\n' && next !== '\r') codes.push(escapes[next] ?? next.charCodeAt(0))
      at += octal?.length ?? (next === '\r' && object[at + 2] === '\n' ? 2 : 1)
      continue
    }
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth === 0) break
    codes.push(sign.charCodeAt(0))
  }
  return { value: { text: Buffer.from(codes) }, end: at + 1 }
}

/** Where the own encoding of PDF differs from Latin-1. */
const high = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž'

function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return clean(new TextDecoder('utf-16be').decode(bytes))
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return clean(new TextDecoder('utf-16le').decode(bytes))
  // Not allowed without a mark, and common.
  if (isUtf8(bytes)) return clean(new TextDecoder().decode(bytes))
  const text = bytes
    .toString('latin1')
    .replace(/[\x80-\x9e]/g, (sign) => high[sign.charCodeAt(0) - 0x80] ?? '')
  return clean(text.replace(/\xa0/g, '€'))
}

/** Titles may name their language between two escape signs. */
function clean(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
      .replace(/\x1b[^\x1b]{0,10}\x1b/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
      .replace(/[\x00-\x1f\x7f\s]+/g, ' ')
      .trim()
      .slice(0, 2000)
  )
}
