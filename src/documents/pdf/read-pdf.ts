import {
  type LayoutBlock,
  LiteParse,
  type ParsedPage,
  type ParseResult,
  type StructureTreeElement,
  type TextItem,
} from '@llamaindex/liteparse'
import { decodeXML } from 'entities'
import { createEncryptedProblem, DocumentProblem } from '../document.ts'
import { readInfoDictionary } from './info-dictionary.ts'
import { isRightToLeftText } from './lines.ts'
import { repairTable } from './mend-table.ts'
import { type Box, isInside, type RawPage, type Run, type Table } from './shapes.ts'

export async function readPdf(bytes: Buffer, range: { from: number; to: number }) {
  const parser = new LiteParse({
    ocrEnabled: false,
    outputFormat: 'markdown',
    quiet: true,
    imageMode: 'off',
    targetPages: `${range.from}-${range.to}`,
    maxPages: range.to,
    continueOnPageError: true,
    extractBlocks: true,
    extractTextMetadata: true,
    extractAnnotations: true,
    extractStructureTree: true,
    extractVectorGraphics: true,
    includeComplexity: true,
    extractFormFields: true,
    extractDocumentMetadata: true,
  })
  const result = await parser.parse(bytes).catch((thrown) => {
    throw toPdfProblem(thrown)
  })
  const unreadable = result.pages.filter(isUnreadable).map((page) => page.pageNum)
  const wordless = result.pages.filter((page) => page.complexity?.textLength === 0 && !isUnreadable(page))
  const nonBlankPages = await findNonBlankPages(bytes, wordless)
  return {
    total: result.totalPages,
    pages: result.pages.map(toRawPage),
    /** Their own text is missing, or differs from the visible text. */
    unreadable: new Set([...unreadable, ...nonBlankPages]),
    failed: result.pageErrors.map((error) => error.pageNum),
    // The metadata is read with the first pages only.
    metadata: range.from === 1 ? readPdfMetadata(bytes, result) : {},
  }
}

export type PdfText = Awaited<ReturnType<typeof readPdf>>

function toPdfProblem(thrown: unknown): DocumentProblem {
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  if (/password|encrypt/i.test(reason)) return createEncryptedProblem('PDF')
  return new DocumentProblem('damaged', `The PDF is damaged and could not be read: ${reason.slice(0, 200)}`)
}

function isUnreadable(page: ParsedPage): boolean {
  const facts = page.complexity
  if (!facts) return false
  if (facts.isGarbled) return true
  const hasPicture =
    facts.fullPageImage || facts.imageCoverage > 0.2 || (facts.uncoveredVectorArea ?? 0) > 2000
  return facts.textLength < 20 && hasPicture
}

/** Some files contain images in ways that the library does not report. */
async function findNonBlankPages(bytes: Buffer, pages: ParsedPage[]): Promise<number[]> {
  const takeScreenshot = ({ width, height, pageNum }: ParsedPage) => {
    const dpi = Math.max(4, Math.min(30, Math.floor((300 * 72) / Math.max(width, height, 1))))
    return new LiteParse({ dpi, quiet: true, ocrEnabled: false }).screenshot(bytes, [pageNum])
  }
  const screenshots = await Promise.all(pages.map(takeScreenshot))
  return screenshots.flatMap(([image]) => (image && !image.isSolidFill ? [image.pageNum] : []))
}

function toRawPage(page: ParsedPage): RawPage {
  const levels = findHeadingTags(page)
  const links = (page.annotations ?? []).flatMap(({ uri, rect, quadpointRects }) => {
    const areas = quadpointRects.length > 0 ? quadpointRects : rect ? [rect] : []
    return uri === undefined ? [] : areas.map((area) => ({ uri, box: toBox(area) }))
  })
  const runs = page.textItems.flatMap((item) => {
    const run = toRun(item, page)
    if (!run) return []
    const link = links.find(({ box }) => isInside(run, box))?.uri || undefined
    const tagged = item.mcid === undefined ? undefined : levels.get(item.mcid)
    return [{ ...run, link, tagged }]
  })
  const tables = (page.blocks ?? []).flatMap((block) => toTables(block, runs))
  const { pageNum: pageNumber, width, height } = page
  const [rules, fields] = [toRules(page), readFormFields(page)]
  return { pageNumber, width, height, runs, tables, rules, source: 'text', fields }
}

function readFormFields(page: ParsedPage): { name: string; value: string }[] {
  const filled = new Map<string, string>()
  for (const field of page.formFields ?? []) {
    const name = (field.alternateName || field.name || '').trim()
    const value = field.checked ? field.exportValue || 'yes' : (field.value ?? '').trim()
    if (name !== '' && value !== '' && value !== 'Off') filled.set(name, value)
  }
  return [...filled].map(([name, value]) => ({ name, value }))
}

function toRules(page: ParsedPage): Box[] {
  return (page.vectorGraphics?.lines ?? []).map(({ x1, y1, x2, y2 }) => ({
    left: Math.min(x1, x2),
    right: Math.max(x1, x2),
    top: Math.min(y1, y2),
    bottom: Math.max(y1, y2),
  }))
}

function toRun(item: TextItem, page: ParsedPage): Run | undefined {
  const box = toBox(item)
  if (item.text.trim() === '' || isHidden(item, box, page)) return undefined
  const name = item.fontName ?? ''
  return {
    ...box,
    text: isRightToLeftText(item.text) ? reorderRightToLeft(item.text) : item.text,
    size: item.fontHeight || item.height || 10,
    isBold: /bold|black|heavy|demi|semib/i.test(name) && !/regular/i.test(name),
    isItalic: /italic|oblique/i.test(name),
    isMono: /mono|courier|consol|typewriter|cmtt/i.test(name),
  }
}

/** The library returns words from left to right, with their punctuation at the wrong end. */
function reorderRightToLeft(text: string): string {
  return (
    text
      .split(' ')
      .toReversed()
      .map((word) => word.replace(/^([،؛.:!]+)(.+)$/u, '$2$1'))
      .join(' ')
      // A ligature of lam and alef comes out reversed; after an alef, this is detectable.
      .replace(/اال/g, 'الا')
  )
}

function isHidden(item: TextItem, box: Box, page: ParsedPage): boolean {
  if (item.fillColor?.startsWith('00')) return true
  if (box.right < 0 || box.bottom < 0 || box.left > page.width || box.top > page.height) return true
  const rotation = Math.abs((item.rotation ?? 0) % 360)
  if (rotation < 3 || rotation > 357) return false
  const isUpright = Math.abs(rotation - 90) < 3 || Math.abs(rotation - 270) < 3
  if (!isUpright) return Math.abs(rotation - 180) > 3
  return box.right < page.width * 0.1 || box.left > page.width * 0.9
}

function findHeadingTags(page: ParsedPage): Map<number, Run['tagged']> {
  const levels = new Map<number, Run['tagged']>()
  let elements = 0
  const visit = (element: StructureTreeElement, heading: Run['tagged'], depth: number): void => {
    const headingTag = /^H([1-6])?$/.exec(element.type)
    elements += 1
    const next = headingTag ? { level: Number(headingTag[1] ?? 2), element: elements } : heading
    if (next !== undefined) for (const id of element.markedContentIds) levels.set(id, next)
    if (depth < 100) for (const child of element.children) visit(child, next, depth + 1)
  }
  for (const root of page.structureTree?.roots ?? []) visit(root, undefined, 0)
  return levels
}

function toTables(block: LayoutBlock, runs: Run[]): Table[] {
  if (block.kind !== 'table') return []
  const rows = [block.header ?? [], ...(block.rows ?? [])].map((row) =>
    row.map(({ text, bbox }) => ({ text: unescapeCell(text), box: bbox && toBox(bbox) })),
  )
  const table = repairTable(rows, runs)
  return table ? [table] : []
}

const unescapeCell = (text: string) =>
  text.replace(/\\([\\`*_{}[\]()#+\-.!|<>~])/g, '$1').replace(/<br\s*\/?>/g, ' ')

function toBox({ x, y, width, height }: { x: number; y: number; width: number; height: number }): Box {
  return { left: x, top: y, right: x + width, bottom: y + height }
}

/** Name of the page metadata, XMP element, and entry of the older dictionary. */
const metadataFields: [name: string, xmp: string, info: string][] = [
  ['title', 'dc:title', 'Title'],
  ['author', 'dc:creator', 'Author'],
  ['description', 'dc:description', 'Subject'],
  ['keywords', 'pdf:Keywords', 'Keywords'],
  ['language', 'dc:language', ''],
]

function readPdfMetadata(bytes: Buffer, { docMeta, creator, producer }: ParseResult): Record<string, string> {
  const xmp = docMeta?.xmp ?? ''
  const info = readInfoDictionary(bytes)
  const facts = [
    ['keywords', readXmp(xmp, 'dc:subject')],
    ...metadataFields.map(([name, element, entry]) => [name, readXmp(xmp, element) || info.get(entry)]),
    ['creator', creator ?? info.get('Creator')],
    ['producer', producer ?? info.get('Producer')],
    ['dcTermsCreated', toIsoDate(docMeta?.creationDate ?? info.get('CreationDate'))],
    ['modifiedTime', toIsoDate(docMeta?.modDate ?? info.get('ModDate'))],
  ]
  return Object.fromEntries(facts.filter((fact): fact is [string, string] => Boolean(fact[1])))
}

/** A property is an element, alone or with a list, or an attribute of the description. */
function readXmp(xmp: string, name: string): string {
  const start = new RegExp(`<${name}(?:\\s[^<>]{0,500})?>`).exec(xmp)
  if (!start) {
    const attribute = new RegExp(`\\s${name}\\s{0,9}=\\s{0,9}(?:"([^"]{0,5000})"|'([^']{0,5000})')`).exec(xmp)
    return toPlainText(attribute?.[1] ?? attribute?.[2] ?? '')
  }
  const from = start.index + start[0].length
  const end = xmp.indexOf(`</${name}>`, from)
  const element = xmp.slice(from, end === -1 ? from : end)
  const entries = [...element.matchAll(/<rdf:li(?:\s[^<>]{0,500})?>([^<]*)</g)].map(([, text = '']) =>
    toPlainText(text),
  )
  if (entries.length === 0) return toPlainText(element.replace(/<[^<>]*>/g, ' '))
  // The first of several languages is the default. Several people are all listed.
  return element.includes('<rdf:Alt') ? (entries[0] ?? '') : entries.filter(Boolean).join(', ')
}

const toPlainText = (text: string) => decodeXML(text).replace(/\s+/g, ' ').trim().slice(0, 2000)

/** D:20130405140446+02'00' becomes 2013-04-05T14:04:46+02:00. */
function toIsoDate(text: string | undefined): string | undefined {
  const parts = /^D:(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d))?/.exec(text ?? '')
  if (!parts) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', , zone, zoneMinute = '00'] = parts
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone === undefined ? 'Z' : `${zone}:${zoneMinute}`}`
}
