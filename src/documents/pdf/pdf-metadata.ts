import type { ParseResult } from '@llamaindex/liteparse'
import { decodeXML } from 'entities'
import { infoDictionary } from './info-dictionary.ts'

/** By the names that page metadata has: where XMP says it, and by what name the older dictionary does. */
const fields: [name: string, xmp: string, info: string][] = [
  ['title', 'dc:title', 'Title'],
  ['author', 'dc:creator', 'Author'],
  ['description', 'dc:description', 'Subject'],
  ['keywords', 'pdf:Keywords', 'Keywords'],
  ['language', 'dc:language', ''],
]

/** What the file says about itself: in XMP, and where that is silent, in its older dictionary. */
export function pdfMetadata(
  bytes: Buffer,
  { docMeta, creator, producer }: ParseResult,
): Record<string, string> {
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
