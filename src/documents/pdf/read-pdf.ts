import {
  type LayoutBlock,
  LiteParse,
  type ParsedPage,
  type ParseResult,
  type StructureTreeElement,
  type TextItem,
} from '@llamaindex/liteparse'
import { decodeXML } from 'entities'
import { DocumentProblem } from '../document.ts'
import { infoDictionary } from './info-dictionary.ts'
import { readsToTheLeft } from './lines.ts'
import { mendTable } from './mend-table.ts'
import { type Box, isInside, type RawPage, type Run, type Table } from './shapes.ts'

export interface PdfText {
  total: number
  pages: RawPage[]
  /** Pages whose own text is missing or cannot be what a reader sees. */
  unreadable: Set<number>
  failed: number[]
  metadata: Record<string, string>
}

/** Pages by number, first and last included. */
export interface PageRange {
  from: number
  to: number
}

/** The text of some pages with its places and fonts. */
export async function readPdf(bytes: Buffer, range: PageRange): Promise<PdfText> {
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
    throw pdfProblem(thrown)
  })
  const painted = await paintedPages(bytes, result.pages.filter(isWordless))
  return {
    total: result.totalPages,
    pages: result.pages.map(rawPage),
    unreadable: new Set([...result.pages.filter(isUnreadable).map((page) => page.pageNum), ...painted]),
    failed: result.pageErrors.map((error) => error.pageNum),
    // Read with the first pages only.
    metadata: range.from === 1 ? pdfMetadata(bytes, result) : {},
  }
}

function pdfProblem(thrown: unknown): DocumentProblem {
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  if (/password|encrypt/i.test(reason)) {
    return new DocumentProblem('encrypted', 'The PDF is encrypted. Remove the password and send it again.')
  }
  return new DocumentProblem('damaged', `The PDF is damaged and could not be read: ${reason.slice(0, 200)}`)
}

/** No text at all beside a picture, or text whose letters have lost their meaning. */
function isUnreadable(page: ParsedPage): boolean {
  const facts = page.complexity
  if (!facts) return false
  if (facts.isGarbled) return true
  const hasPicture =
    facts.fullPageImage || facts.imageCoverage > 0.2 || (facts.uncoveredVectorArea ?? 0) > 2000
  return facts.textLength < 20 && hasPicture
}

const isWordless = (page: ParsedPage) => page.complexity?.textLength === 0 && !isUnreadable(page)

/** Pages without a letter that are not white either: some files hold their pictures in ways that are not seen as such. */
async function paintedPages(bytes: Buffer, pages: ParsedPage[]): Promise<number[]> {
  if (pages.length === 0) return []
  const drawn = await Promise.all(
    pages.map((page) => {
      const dpi = Math.max(4, Math.min(30, Math.floor((300 * 72) / Math.max(page.width, page.height, 1))))
      return new LiteParse({ dpi, quiet: true, ocrEnabled: false }).screenshot(bytes, [page.pageNum])
    }),
  )
  return drawn.flatMap(([picture]) => (picture && !picture.isSolidFill ? [picture.pageNum] : []))
}

function rawPage(page: ParsedPage): RawPage {
  const levels = headingTags(page)
  const links = (page.annotations ?? []).flatMap(({ uri, rect, quadpointRects }) =>
    uri === undefined
      ? []
      : (quadpointRects.length > 0 ? quadpointRects : rect ? [rect] : []).map((area) => ({
          uri,
          box: boxOf(area),
        })),
  )
  const runs = page.textItems.flatMap((item) => {
    const run = runOf(item, page)
    if (!run) return []
    const link = links.find(({ box }) => isInside(run, box))?.uri
    const tagged = item.mcid === undefined ? undefined : levels.get(item.mcid)
    return [{ ...run, ...(link ? { link } : {}), ...(tagged ? { tagged } : {}) }]
  })
  const tables = (page.blocks ?? []).flatMap((block) => tableOf(block, runs))
  return {
    pageNumber: page.pageNum,
    width: page.width,
    height: page.height,
    runs,
    tables,
    rules: rulesOf(page),
    source: 'text',
    fields: fieldsOf(page),
  }
}

/** What was filled into a form, once per field. */
function fieldsOf(page: ParsedPage): { name: string; value: string }[] {
  const filled = new Map<string, string>()
  for (const field of page.formFields ?? []) {
    const name = (field.alternateName || field.name || '').trim()
    const value = field.checked ? field.exportValue || 'yes' : (field.value ?? '').trim()
    if (name !== '' && value !== '' && value !== 'Off') filled.set(name, value)
  }
  return [...filled].map(([name, value]) => ({ name, value }))
}

function rulesOf(page: ParsedPage): Box[] {
  return (page.vectorGraphics?.lines ?? []).map(({ x1, y1, x2, y2 }) => ({
    left: Math.min(x1, x2),
    right: Math.max(x1, x2),
    top: Math.min(y1, y2),
    bottom: Math.max(y1, y2),
  }))
}

function runOf(item: TextItem, page: ParsedPage): Run | undefined {
  const box = boxOf(item)
  if (item.text.trim() === '' || isHidden(item, box, page)) return undefined
  const name = item.fontName ?? ''
  return {
    ...box,
    text: readsToTheLeft(item.text) ? fromRight(item.text) : item.text,
    size: item.fontHeight || item.height || 10,
    isBold: /bold|black|heavy|demi|semib/i.test(name) && !/regular/i.test(name),
    isItalic: /italic|oblique/i.test(name),
    isMono: /mono|courier|consol|typewriter|cmtt/i.test(name),
  }
}

/** The library has the letters of a word in their order, but the words from left to right, with their marks at the wrong end. */
function fromRight(text: string): string {
  return (
    text
      .split(' ')
      .toReversed()
      .map((word) => word.replace(/^([،؛.:!]+)(.+)$/u, '$2$1'))
      .join(' ')
      // A lam and an alef that share one sign come out the wrong way round; behind an alef that is recognisable.
      .replace(/اال/g, 'الا')
  )
}

/** Invisible text: without colour, outside the page, or a watermark or stamp. */
function isHidden(item: TextItem, box: Box, page: ParsedPage): boolean {
  if (item.fillColor?.startsWith('00')) return true
  if (box.right < 0 || box.bottom < 0 || box.left > page.width || box.top > page.height) return true
  const turn = Math.abs((item.rotation ?? 0) % 360)
  if (turn < 3 || turn > 357) return false
  const isUpright = Math.abs(turn - 90) < 3 || Math.abs(turn - 270) < 3
  if (!isUpright) return Math.abs(turn - 180) > 3
  return box.right < page.width * 0.1 || box.left > page.width * 0.9
}

/** Marked content of a tagged file that is a heading, with its level. */
function headingTags(page: ParsedPage): Map<number, Run['tagged']> {
  const levels = new Map<number, Run['tagged']>()
  let elements = 0
  const visit = (element: StructureTreeElement, heading: Run['tagged'], depth: number): void => {
    const own = /^H([1-6])?$/.exec(element.type)
    elements += 1
    const next = own ? { level: Number(own[1] ?? 2), element: elements } : heading
    if (next !== undefined) for (const id of element.markedContentIds) levels.set(id, next)
    if (depth < 100) for (const child of element.children) visit(child, next, depth + 1)
  }
  for (const root of page.structureTree?.roots ?? []) visit(root, undefined, 0)
  return levels
}

function tableOf(block: LayoutBlock, runs: Run[]): Table[] {
  if (block.kind !== 'table') return []
  const rows = [block.header ?? [], ...(block.rows ?? [])].map((row) =>
    row.map(({ text, bbox }) => ({ text: unescaped(text), box: bbox && boxOf(bbox) })),
  )
  const table = mendTable(rows, runs)
  return table ? [table] : []
}

/** The library writes cells as Markdown; ours are written again. */
const unescaped = (text: string) =>
  text.replace(/\\([\\`*_{}[\]()#+\-.!|<>~])/g, '$1').replace(/<br\s*\/?>/g, ' ')

function boxOf({ x, y, width, height }: { x: number; y: number; width: number; height: number }): Box {
  return { left: x, top: y, right: x + width, bottom: y + height }
}

/** By the names that page metadata has: where XMP says it, and by what name the older dictionary does. */
const fields: [name: string, xmp: string, info: string][] = [
  ['title', 'dc:title', 'Title'],
  ['author', 'dc:creator', 'Author'],
  ['description', 'dc:description', 'Subject'],
  ['keywords', 'pdf:Keywords', 'Keywords'],
  ['language', 'dc:language', ''],
]

/** What the file says about itself: in XMP, and where that is silent, in its older dictionary. */
function pdfMetadata(bytes: Buffer, { docMeta, creator, producer }: ParseResult): Record<string, string> {
  const xmp = docMeta?.xmp ?? ''
  const info = infoDictionary(bytes)
  const described = fields.map(([name, element, entry]) => [name, ofXmp(xmp, element) || info.get(entry)])
  const facts = [
    ['keywords', ofXmp(xmp, 'dc:subject')],
    ...described.filter(([, text]) => text),
    ['creator', creator ?? info.get('Creator')],
    ['producer', producer ?? info.get('Producer')],
    ['dcTermsCreated', dateOf(docMeta?.creationDate ?? info.get('CreationDate'))],
    ['modifiedTime', dateOf(docMeta?.modDate ?? info.get('ModDate'))],
  ]
  return Object.fromEntries(facts.filter((fact): fact is [string, string] => Boolean(fact[1])))
}

/** A property stands as an element, alone or with a list in it, or as an attribute of the description. */
function ofXmp(xmp: string, name: string): string {
  const start = new RegExp(`<${name}(?:\\s[^<>]{0,500})?>`).exec(xmp)
  if (!start) {
    const attribute = new RegExp(`\\s${name}\\s{0,9}=\\s{0,9}(?:"([^"]{0,5000})"|'([^']{0,5000})')`).exec(xmp)
    return plain(attribute?.[1] ?? attribute?.[2] ?? '')
  }
  const from = start.index + start[0].length
  const end = xmp.indexOf(`</${name}>`, from)
  const element = xmp.slice(from, end === -1 ? from : end)
  const entries = [...element.matchAll(/<rdf:li(?:\s[^<>]{0,500})?>([^<]*)</g)].map(([, text = '']) =>
    plain(text),
  )
  if (entries.length === 0) return plain(element.replace(/<[^<>]*>/g, ' '))
  // Of a text in several languages the first is the default; of several people all are named.
  return element.includes('<rdf:Alt') ? (entries[0] ?? '') : entries.filter(Boolean).join(', ')
}

const plain = (text: string) => decodeXML(text).replace(/\s+/g, ' ').trim().slice(0, 2000)

/** D:20130405140446+02'00' → 2013-04-05T14:04:46+02:00 */
function dateOf(text: string | undefined): string | undefined {
  const parts = /^D:(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d))?/.exec(text ?? '')
  if (!parts) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', , zone, zoneMinute = '00'] = parts
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone === undefined ? 'Z' : `${zone}:${zoneMinute}`}`
}
