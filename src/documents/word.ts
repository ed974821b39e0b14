import { encodeXML } from 'entities'
import { decodeBytes, encodingOf } from '../content/encoding/decode.ts'
import type { ConvertedDocument } from './document.ts'
import { renderMarkdownTable, toConvertedDocument } from './finish.ts'
import { readOffice, readPackageMetadata, readPackagePart } from './office.ts'
import { escapeText, renderOfficeDocument } from './office-markdown.ts'
import { readOle } from './ole.ts'
import { ommlToTex } from './omml.ts'
import type { DocumentType } from './types/document-type.ts'
import { readZipDirectory, withParts } from './zip.ts'

export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  const oldMarkdown = type.name === 'doc' ? renderOldWordDocument(bytes) : undefined
  if (oldMarkdown !== undefined) return toConvertedDocument(oldMarkdown)
  const repaired = type.name === 'docx' ? repairDocx(bytes) : bytes
  const markdown = unwrapFormulas(renderOfficeDocument(await readOffice(repaired, type.name)))
  // Some writers leave groups open; the library then treats the whole text as part of the preamble.
  const isUnreadRtf = type.name === 'rtf' && markdown.trim() === ''
  return toConvertedDocument(isUnreadRtf ? readRtfText(bytes) : markdown, {
    metadata: readPackageMetadata(bytes, type),
  })
}

const nonTextGroups =
  /^(?:fonttbl|colortbl|stylesheet|info|pict|object|header\w?|footer\w?|generator|listtable|listoverridetable|revtbl|themedata|datastore|xmlnstbl|fldinst|nonshppict)$/

function readRtfText(bytes: Buffer): string {
  const source = bytes.toString('latin1')
  const encoding = encodingOf(`windows-${/\\ansicpg(\d+)/.exec(source)?.[1] ?? '1252'}`) ?? 'windows-1252'
  const skippedGroups: boolean[] = [false]
  let text = ''
  let opened = -1
  const token = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}]+)/gi
  for (const { 1: word, 2: number, 3: hex, 4: symbol, 5: brace, 6: plain, index } of source.matchAll(token)) {
    const isSkipped = skippedGroups.at(-1) ?? false
    if (brace === '{') {
      skippedGroups.push(isSkipped)
      opened = index
    } else if (brace === '}') skippedGroups.length > 1 && skippedGroups.pop()
    else if ((symbol === '*' && index === opened + 1) || (word !== undefined && nonTextGroups.test(word)))
      skippedGroups[skippedGroups.length - 1] = true
    else if (isSkipped) continue
    else if (word === 'par' || word === 'line' || word === 'row') text += '\n\n'
    else if (word === 'tab' || word === 'cell') text += ' '
    else if (word === 'u') text += String.fromCodePoint(((Number(number) % 65536) + 65536) % 65536)
    else if (hex !== undefined) text += decodeBytes(Buffer.from(hex, 'hex'), encoding)
    else if (symbol !== undefined) text += /[\\{}]/.test(symbol) ? symbol : symbol === '~' ? ' ' : ''
    else if (plain !== undefined) text += plain.replace(/[\r\n]/g, '')
  }
  return text.replace(/[`*_[\]<]/g, '\\$&')
}

const isWord6Or95 = (version: number) => version >= 101 && version <= 105

function renderOldWordDocument(bytes: Buffer): string | undefined {
  const file = readOle(bytes)
  const stream = file?.findStream('WordDocument')
  const document = file && stream && file.read(stream, stream.size)
  if (!document || document.length < 0x180 || !isWord6Or95(document.readUInt16LE(2))) return undefined
  const isFastSaved = (document.readUInt16LE(10) & 4) !== 0
  const text = isFastSaved ? readPieces(document) : undefined
  if (text !== undefined) return toMarkdown(text)
  const start = document.readUInt32LE(0x18)
  const end = Math.min(document.length, document.readUInt32LE(0x1c))
  return toMarkdown(decodeBytes(document.subarray(start, Math.max(start, end)), 'windows-1252'))
}

/** A fast-saved document consists of pieces, in the order of a table. */
function readPieces(document: Buffer): string | undefined {
  const at = document.readUInt32LE(0x160)
  const table = document.subarray(at, at + document.readUInt32LE(0x164))
  let offset = 0
  while (offset + 3 <= table.length && table[offset] === 1) offset += 3 + table.readUInt16LE(offset + 1)
  if (offset + 5 > table.length || table[offset] !== 2) return undefined
  const count = Math.floor((table.readUInt32LE(offset + 1) - 4) / 12)
  const positions = offset + 5
  const entries = positions + (count + 1) * 4
  if (count < 1 || count > 100_000 || entries + count * 8 > table.length) return undefined
  let text = ''
  for (let piece = 0; piece < count; piece += 1) {
    const from = table.readUInt32LE(positions + piece * 4)
    const to = table.readUInt32LE(positions + piece * 4 + 4)
    const start = table.readUInt32LE(entries + piece * 8 + 2)
    if (to < from || start + (to - from) > document.length) return undefined
    text += decodeBytes(document.subarray(start, start + (to - from)), 'windows-1252')
  }
  return text
}

/** Paragraphs end with a carriage return, cells with a bell, rows with one more bell. */
function toMarkdown(text: string): string {
  const parts: string[] = []
  let rows: string[][] = []
  const close = () => {
    if (rows.length > 0) parts.push(renderMarkdownTable(rows))
    rows = []
  }
  for (const line of replaceFields(text).split(/[\r\f]/)) {
    const cells = line.split('\x07')
    const textAfter = cells.pop() ?? ''
    if (cells.length > 0) for (const row of splitRows(cells)) rows.push(row)
    if (textAfter.trim() === '') continue
    close()
    parts.push(plain(textAfter))
  }
  close()
  return parts.join('\n\n')
}

function splitRows(cells: string[]): string[][] {
  const rows: string[][] = [[]]
  for (const cell of cells) {
    if (cell === '' && (rows.at(-1)?.length ?? 0) > 0) rows.push([])
    else rows.at(-1)?.push(cell.trim())
  }
  return rows.filter((row) => row.some((cell) => cell !== ''))
}

function replaceFields(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the marks of fields are control characters
  return text.replace(/\x13[^\x13\x14\x15]*(?:\x14([^\x13\x14\x15]*))?\x15/g, '$1').replace(/\x0b/g, '\n')
}

const plain = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: marks of pictures and notes are control characters
  escapeText(text.replace(/[\x00-\x06\x08\x0e-\x1f]/g, ''))
    .replace(/\t/g, ' ')
    .trim()

/** Enclose a formula while it passes through the library as text: noncharacters, which no text contains. */
const [inlineMarker, displayMarker] = ['\ufdd0', '\ufdd1']

const bodyPart = 'word/document.xml'
const relationsPart = 'word/_rels/document.xml.rels'

/** The library would lose formulas and the fragments of external links. */
function repairDocx(bytes: Buffer): Buffer {
  const xml = readPackagePart(bytes, bodyPart)
  if (xml === undefined) return bytes
  const formulas = replaceFormulas(xml)
  const links = addLinkFragments(formulas, readPackagePart(bytes, relationsPart) ?? '')
  if (links.xml === xml) return bytes
  const parts = new Map([[bodyPart, Buffer.from(links.xml)]])
  if (links.relations !== '') parts.set(relationsPart, Buffer.from(links.relations))
  return withParts(bytes, readZipDirectory(bytes) ?? [], parts)
}

function replaceFormulas(xml: string): string {
  let text = ''
  let at = 0
  for (;;) {
    const start = xml.indexOf('<m:oMath', at)
    if (start === -1) return text + xml.slice(at)
    const isPara = xml.startsWith('<m:oMathPara', start)
    const closing = isPara ? '</m:oMathPara>' : '</m:oMath>'
    const stop = xml.indexOf(closing, start)
    if (stop === -1) return text + xml.slice(at)
    const formula = xml.slice(start, stop)
    const between = text.endsWith(endOfRun) && xml.slice(at, start).trim() === '' ? lineBreak : ''
    text += xml.slice(at, start) + between + (isPara ? toFormulaLines(formula) : toRun(formula, inlineMarker))
    at = stop + closing.length
  }
}

const lineBreak = '<w:r><w:br/></w:r>'
const endOfRun = '\ufdd2</w:t></w:r>'

function toFormulaLines(xml: string): string {
  return xml
    .split('</m:oMath>')
    .map((formula) => toRun(formula.slice(Math.max(0, formula.search(/<m:oMath[\s>]/))), displayMarker))
    .filter((run) => run !== '')
    .join(lineBreak)
}

function toRun(xml: string, marker: string): string {
  const tex = ommlToTex(xml)
  return tex === '' ? '' : `<w:r><w:t xml:space="preserve">${encodeXML(marker + tex)}${endOfRun}`
}

function unwrapFormulas(markdown: string): string {
  return markdown.replace(/([\ufdd0\ufdd1])([^\ufdd0-\ufdd2]*)\ufdd2/g, (_, marker, tex: string) => {
    const plain = tex.replace(/\\([\\`*_[\]<])/g, '$1').trim()
    const fence = marker === displayMarker ? '$$' : '$'
    return fence + plain + fence
  })
}

/** The library reads only the URL of links that have both a URL and an anchor. */
function addLinkFragments(xml: string, rels: string): { xml: string; relations: string } {
  const targets = new Map<string, string>()
  for (const [, attributes = ''] of rels.matchAll(/<Relationship\s([^<>]*)>/g)) {
    const id = /\bId="([^"]*)"/.exec(attributes)?.[1]
    const target = /\bTarget="([^"]*)"/.exec(attributes)?.[1]
    if (id !== undefined && target !== undefined && /hyperlink"/.test(attributes)) targets.set(id, target)
  }
  const added: string[] = []
  const linked = xml.replace(/<w:hyperlink\s[^<>]*>/g, (linkTag) => {
    const id = /\br:id="([^"]*)"/.exec(linkTag)?.[1]
    const fragment = /\bw:anchor="([^"]*)"/.exec(linkTag)?.[1]
    const target = targets.get(id ?? '')
    if (id === undefined || fragment === undefined || target === undefined || target.includes('#'))
      return linkTag
    const linkId = `${id}-fragment${added.length}`
    const reference = `Id="${linkId}" Type="${hyperlink}" Target="${target}#${fragment}"`
    added.push(`<Relationship ${reference} TargetMode="External"/>`)
    return linkTag.replace(`r:id="${id}"`, `r:id="${linkId}"`).replace(/\s?w:anchor="[^"]*"/, '')
  })
  const fields = linked.replace(
    /(HYPERLINK\s+(?:"|&quot;))([^"&#<>]+(?:&amp;[^"&#<>]*)*)("|&quot;)\s+\\l\s+(?:"|&quot;)([^"<>]+?)(?:"|&quot;)/g,
    '$1$2#$4$3',
  )
  const extended = rels.replace('</Relationships>', `${added.join('')}</Relationships>`)
  return { xml: fields, relations: added.length === 0 ? '' : extended }
}

const hyperlink = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink'
