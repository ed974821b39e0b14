import { encodeXML } from 'entities'
import { texOfOmml } from './omml.ts'
import { withParts } from './write-zip.ts'
import { readZipDirectory, readZipEntry } from './zip.ts'

/** Marks around a formula while it passes through the library as text. Unicode noncharacters, so no text contains them. */
const [inline, display] = ['\ufdd0', '\ufdd1']

const body = 'word/document.xml'
const relations = 'word/_rels/document.xml.rels'

/** Repairs a document so that the library keeps its formulas and the fragments of its external links. */
export function mendDocx(bytes: Buffer): Buffer {
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
  const tex = texOfOmml(xml)
  return tex === '' ? '' : `<w:r><w:t xml:space="preserve">${encodeXML(mark + tex)}${endOfRun}`
}

/** Formulas in the Markdown that was written of them: as TeX, where every sign means itself. */
export function unwrapFormulas(markdown: string): string {
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
