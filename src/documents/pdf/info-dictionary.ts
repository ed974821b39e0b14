import { isUtf8 } from 'node:buffer'
import { inflateSync } from 'node:zlib'
import { lazy } from '../../platform/functions.ts'

/** Maximum size of one decompressed object stream, and of all together. */
const maxObjectStreamBytes = 8 * 1024 * 1024
const maxTotalStreamBytes = 64 * 1024 * 1024
const maxDictionaryBytes = 64 * 1024

/** Title, author and similar entries, which the page reader does not return. Empty for an encrypted file. */
export function readInfoDictionary(bytes: Buffer): Map<string, string> {
  const at = bytes.lastIndexOf('/Info')
  const number = /^\/Info\s+(\d{1,10})\s+\d{1,5}\s+R/.exec(bytes.toString('latin1', at, at + 40))?.[1]
  if (at === -1 || number === undefined || bytes.includes('/Encrypt')) return new Map()
  const packed = lazy(() => readPackedObjects(bytes))
  const find = (number: string) => findPlainObject(bytes, number) ?? packed().get(number) ?? ''
  const entries = readDictionary(find(number))
  const texts = [...entries].map(([name, value]) => {
    const resolved = 'reference' in value ? readValue(find(value.reference), 0).value : value
    return [name, 'text' in resolved ? decodeText(resolved.text) : ''] as const
  })
  return new Map(texts.filter(([, text]) => text !== ''))
}

/** The last one, because a modified file has the new objects after the old ones. */
function findPlainObject(bytes: Buffer, number: string): string | undefined {
  for (const header of [`\n${number} 0 obj`, `\r${number} 0 obj`, ` ${number} 0 obj`]) {
    const at = bytes.lastIndexOf(header)
    if (at !== -1)
      return bytes.toString('latin1', at + header.length, at + header.length + maxDictionaryBytes)
  }
  return undefined
}

function readPackedObjects(bytes: Buffer): Map<string, string> {
  const objects = new Map<string, string>()
  let unpacked = 0
  for (let at = bytes.lastIndexOf('/ObjStm'); at !== -1 && unpacked < maxTotalStreamBytes; ) {
    const start = bytes.indexOf('stream', at)
    const head = bytes.toString('latin1', Math.max(0, at - 400), start)
    const objectStream = readObjectStream(bytes, start, head.slice(head.lastIndexOf(' obj') + 1))
    unpacked += objectStream.length
    for (const [number, object] of splitObjects(objectStream, head))
      if (!objects.has(number)) objects.set(number, object)
    at = at === 0 ? -1 : bytes.lastIndexOf('/ObjStm', at - 1)
  }
  return objects
}

function readObjectStream(bytes: Buffer, start: number, head: string): string {
  const end = bytes.indexOf('endstream', start)
  if (start === -1 || end === -1 || /\/Predictor/.test(head)) return ''
  const from = start + 6 + (bytes[start + 6] === 13 ? 2 : 1)
  const stream = bytes.subarray(from, end)
  if (!/\/FlateDecode|\/Fl\b/.test(head)) return stream.toString('latin1')
  try {
    return inflateSync(stream, { maxOutputLength: maxObjectStreamBytes }).toString('latin1')
  } catch {
    return ''
  }
}

/** An object stream begins with the numbers and offsets of its objects. */
function splitObjects(objectStream: string, head: string): [string, string][] {
  const first = Number(/\/First\s+(\d+)/.exec(head)?.[1] ?? 0)
  const numbers = objectStream.slice(0, first).match(/\d+/g) ?? []
  const objects: [string, string][] = []
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const start = first + Number(numbers[at + 1])
    objects.push([numbers[at] ?? '', objectStream.slice(start, start + maxDictionaryBytes)])
  }
  return objects
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
  const spaceCount = /^[\s\0]*/.exec(object.slice(from, from + 100))?.[0].length ?? 0
  const at = from + spaceCount
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
  // A name or a number. A nested value ends the reading, because no useful entry follows.
  const word = /^\/?[\w.+-]+/.exec(object.slice(at, at + 200))?.[0]
  return { value: { other: true }, end: word === undefined ? object.length : at + word.length }
}

const escapes: Record<string, number> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

/** May contain balanced parentheses; a backslash escapes any other character. */
function readLiteral(object: string, from: number): { value: Value; end: number } {
  const codes: number[] = []
  let depth = 1
  let at = from
  for (; at < object.length; at += 1) {
    const character = object[at] ?? ''
    if (character === '\\') {
      const octal = /^[0-7]{1,3}/.exec(object.slice(at + 1, at + 4))?.[0]
      const next = object[at + 1] ?? ''
      if (octal !== undefined) codes.push(Number.parseInt(octal, 8) & 0xff)
      else if (next !== '\n' && next !== '\r') codes.push(escapes[next] ?? next.charCodeAt(0))
      at += octal?.length ?? (next === '\r' && object[at + 2] === '\n' ? 2 : 1)
      continue
    }
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth === 0) break
    codes.push(character.charCodeAt(0))
  }
  return { value: { text: Buffer.from(codes) }, end: at + 1 }
}

/** The characters 0x80 to 0x9e of PDFDocEncoding, which differ from Latin-1. */
const pdfDocCharacters = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž'

function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return clean(new TextDecoder('utf-16be').decode(bytes))
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return clean(new TextDecoder('utf-16le').decode(bytes))
  // UTF-8 without a byte order mark is not allowed, but common.
  if (isUtf8(bytes)) return clean(new TextDecoder().decode(bytes))
  const text = bytes
    .toString('latin1')
    .replace(/[\x80-\x9e]/g, (character) => pdfDocCharacters[character.charCodeAt(0) - 0x80] ?? '')
  return clean(text.replace(/\xa0/g, '€'))
}

/** Titles may declare their language between two escape characters. */
function clean(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
      .replace(/\x1b[^\x1b]{0,10}\x1b/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
      .replace(/[\x00-\x1f\x7f\s]+/g, ' ')
      .trim()
      .slice(0, 2000)
  )
}
