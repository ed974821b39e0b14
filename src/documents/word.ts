import { encodeXML } from 'entities'
import { decodeBytes, encodingOf } from '../content/encoding/decode.ts'
import type { ConvertedDocument } from './document.ts'
import { finish, markdownTable } from './finish.ts'
import { packageMetadata, readOffice } from './office.ts'
import { officeMarkdown } from './office-markdown.ts'
import { readOle } from './ole.ts'
import { ommlToTex } from './omml.ts'
import type { DocumentType } from './types/document-type.ts'
import { readZipDirectory, readZipEntry, withParts } from './zip.ts'

/** Word processors: docx, doc, odt, rtf. */
export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  const old = type.name === 'doc' ? oldWordMarkdown(bytes) : undefined
  if (old !== undefined) return finish(old)
  const whole = type.name === 'docx' ? mendDocx(bytes) : bytes
  const markdown = unwrapFormulas(officeMarkdown(await readOffice(whole, type.name)))
  const metadata = packageMetadata(bytes, type)
  // Some writers leave groups open, and the library then takes the whole text for a part of the preamble.
  if (type.name === 'rtf' && markdown.trim() === '') return finish(rtfText(bytes), { metadata })
  return finish(markdown, { metadata })
}

/** Groups that hold no text of the document. */
const silent =
  /^(?:fonttbl|colortbl|stylesheet|info|pict|object|header\w?|footer\w?|generator|listtable|listoverridetable|revtbl|themedata|datastore|xmlnstbl|fldinst|nonshppict)$/

/** Only the text of an RTF file, without its structure: the fallback if its groups are not balanced. */
function rtfText(bytes: Buffer): string {
  const source = bytes.toString('latin1')
  const encoding = encodingOf(`windows-${/\\ansicpg(\d+)/.exec(source)?.[1] ?? '1252'}`) ?? 'windows-1252'
  const silenced: boolean[] = [false]
  let text = ''
  let opened = -1
  const token = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}]+)/gi
  for (const { 1: word, 2: number, 3: hex, 4: sign, 5: brace, 6: plain, index } of source.matchAll(token)) {
    const isSilent = silenced.at(-1) ?? false
    if (brace === '{') {
      silenced.push(isSilent)
      opened = index
    } else if (brace === '}') silenced.length > 1 && silenced.pop()
    else if ((sign === '*' && index === opened + 1) || (word !== undefined && silent.test(word)))
      silenced[silenced.length - 1] = true
    else if (isSilent) continue
    else if (word === 'par' || word === 'line' || word === 'row') text += '\n\n'
    else if (word === 'tab' || word === 'cell') text += ' '
    else if (word === 'u') text += String.fromCodePoint(((Number(number) % 65536) + 65536) % 65536)
    else if (hex !== undefined) text += decodeBytes(Buffer.from(hex, 'hex'), encoding)
    else if (sign !== undefined) text += /[\\{}]/.test(sign) ? sign : sign === '~' ? ' ' : ''
    else if (plain !== undefined) text += plain.replace(/[\r\n]/g, '')
  }
  return text.replace(/[`*_[\]<]/g, '\\$&')
}

/** Versions of the format that Word 6 and 95 wrote, in all their editions. */
const isOld = (version: number) => version >= 101 && version <= 105

/** A document of Word 6 or 95, which no library reads; nothing when it is a later one. */
function oldWordMarkdown(bytes: Buffer): string | undefined {
  const file = readOle(bytes)
  const stream = file?.named('WordDocument')
  const document = file && stream && file.read(stream, stream.size)
  if (!document || document.length < 0x180 || !isOld(document.readUInt16LE(2))) return undefined
  const isInPieces = (document.readUInt16LE(10) & 4) !== 0
  const text = isInPieces ? pieces(document) : undefined
  const start = document.readUInt32LE(0x18)
  const end = Math.min(document.length, document.readUInt32LE(0x1c))
  return toMarkdown(text ?? decodeBytes(document.subarray(start, Math.max(start, end)), 'windows-1252'))
}

/** A document that was saved in a hurry: its text lies in pieces, and a table says in which order. */
function pieces(document: Buffer): string | undefined {
  const at = document.readUInt32LE(0x160)
  const table = document.subarray(at, at + document.readUInt32LE(0x164))
  let place = 0
  // Before the table stand settings, each with its length.
  while (place + 3 <= table.length && table[place] === 1) place += 3 + table.readUInt16LE(place + 1)
  if (place + 5 > table.length || table[place] !== 2) return undefined
  const count = Math.floor((table.readUInt32LE(place + 1) - 4) / 12)
  const positions = place + 5
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

/** Paragraphs end with a return, cells with a bell, rows with one more of them. */
function toMarkdown(text: string): string {
  const parts: string[] = []
  let rows: string[][] = []
  const close = () => {
    if (rows.length > 0) parts.push(markdownTable(rows))
    rows = []
  }
  for (const line of withoutFields(text).split(/[\r\f]/)) {
    const cells = line.split('\x07')
    const after = cells.pop() ?? ''
    if (cells.length > 0) for (const row of rowsOf(cells)) rows.push(row)
    if (after.trim() === '') continue
    close()
    parts.push(plain(after))
  }
  close()
  return parts.join('\n\n')
}

/** Cells of one or more rows; an empty one ends a row. */
function rowsOf(cells: string[]): string[][] {
  const rows: string[][] = [[]]
  for (const cell of cells) {
    if (cell === '' && (rows.at(-1)?.length ?? 0) > 0) rows.push([])
    else rows.at(-1)?.push(cell.trim())
  }
  return rows.filter((row) => row.some((cell) => cell !== ''))
}

/** Of a field, such as a link or a date, only what it shows is text. */
function withoutFields(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the marks of fields are control characters
  return text.replace(/\x13[^\x13\x14\x15]*(?:\x14([^\x13\x14\x15]*))?\x15/g, '$1').replace(/\x0b/g, '\n')
}

const plain = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: marks of pictures and notes are control characters
    .replace(/[\x00-\x06\x08\x0e-\x1f]/g, '')
    .replace(/[\\`*_[\]<]/g, '\\$&')
    .replace(/\t/g, ' ')
    .trim()

/** Marks around a formula while it passes through the library as text. Unicode noncharacters, so no text contains them. */
const [inline, display] = ['\ufdd0', '\ufdd1']

const body = 'word/document.xml'
const relations = 'word/_rels/document.xml.rels'

/** Repairs a document so that the library keeps its formulas and the fragments of its external links. */
function mendDocx(bytes: Buffer): Buffer {
  const entries = readZipDirectory(bytes) ?? []
  const partOf = (name: string) => {
    const entry = entries.find((one) => one.name === name)
    return entry && readZipEntry(bytes, entry).toString('utf8')
  }
  const xml = partOf(body)
  if (xml === undefined) return bytes
  const formulas = withFormulas(xml)
  const links = withPlaces(formulas, partOf(relations) ?? '')
  if (links.xml === xml) return bytes
  const parts = new Map([[body, Buffer.from(links.xml)]])
  if (links.relations !== '') parts.set(relations, Buffer.from(links.relations))
  return withParts(bytes, entries, parts)
}

/** Formulas → runs of text. Formulas in their own paragraph become display math, others inline math. */
function withFormulas(xml: string): string {
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
    // One right behind another is a line of its own.
    const between = text.endsWith(endOfRun) && xml.slice(at, start).trim() === '' ? lineBreak : ''
    text += xml.slice(at, start) + between + (isPara ? paragraphOf(formula) : runOf(formula, inline))
    at = stop + closing.length
  }
}

const lineBreak = '<w:r><w:br/></w:r>'
/** What a formula ends with, so that the next one can be distinguished from text. */
const endOfRun = '\ufdd2</w:t></w:r>'

function paragraphOf(xml: string): string {
  return xml
    .split('</m:oMath>')
    .map((formula) => runOf(formula.slice(Math.max(0, formula.search(/<m:oMath[\s>]/))), display))
    .filter((run) => run !== '')
    .join(lineBreak)
}

function runOf(xml: string, mark: string): string {
  const tex = ommlToTex(xml)
  return tex === '' ? '' : `<w:r><w:t xml:space="preserve">${encodeXML(mark + tex)}${endOfRun}`
}

/** Formulas in the Markdown that was written of them: as TeX, where every sign means itself. */
function unwrapFormulas(markdown: string): string {
  return markdown.replace(/([\ufdd0\ufdd1])([^\ufdd0-\ufdd2]*)\ufdd2/g, (_, mark, tex: string) => {
    const plain = tex.replace(/\\([\\`*_[\]<])/g, '$1').trim()
    const fence = mark === display ? '$$' : '$'
    return fence + plain + fence
  })
}

/** Links that name both a page and a place on it: the library reads only the page. */
function withPlaces(xml: string, rels: string): { xml: string; relations: string } {
  const targets = new Map<string, string>()
  for (const [, attributes = ''] of rels.matchAll(/<Relationship\s([^<>]*)>/g)) {
    const id = /\bId="([^"]*)"/.exec(attributes)?.[1]
    const target = /\bTarget="([^"]*)"/.exec(attributes)?.[1]
    if (id !== undefined && target !== undefined && /hyperlink"/.test(attributes)) targets.set(id, target)
  }
  const added: string[] = []
  const linked = xml.replace(/<w:hyperlink\s[^<>]*>/g, (whole) => {
    const id = /\br:id="([^"]*)"/.exec(whole)?.[1]
    const place = /\bw:anchor="([^"]*)"/.exec(whole)?.[1]
    const target = targets.get(id ?? '')
    if (id === undefined || place === undefined || target === undefined || target.includes('#')) return whole
    const own = `${id}-place${added.length}`
    added.push(
      `<Relationship Id="${own}" Type="${hyperlink}" Target="${target}#${place}" TargetMode="External"/>`,
    )
    return whole.replace(`r:id="${id}"`, `r:id="${own}"`).replace(/\s?w:anchor="[^"]*"/, '')
  })
  const fields = linked.replace(
    /(HYPERLINK\s+(?:"|&quot;))([^"&#<>]+(?:&amp;[^"&#<>]*)*)("|&quot;)\s+\\l\s+(?:"|&quot;)([^"<>]+?)(?:"|&quot;)/g,
    '$1$2#$4$3',
  )
  return {
    xml: fields,
    relations:
      added.length === 0 ? '' : rels.replace('</Relationships>', `${added.join('')}</Relationships>`),
  }
}

const hyperlink = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink'
