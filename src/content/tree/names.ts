/**
 * Names of elements and attributes as small numbers, so that a tree is arrays of numbers and a question about
 * a name is one comparison. Names that are not listed here get a number of their own in each tree.
 */

const split = <const Text extends string>(text: Text) => text.trim().split(/\s+/) as Words<Text>[]

type Words<Text extends string> = Text extends `${infer Head}${' ' | '\n'}${infer Rest}`
  ? Words<Head> | Words<Rest>
  : Text extends ''
    ? never
    : Text

const tagNames = [
  ...split(
    'a abbr acronym address annotation annotation-xml applet area article aside audio b base basefont',
  ),
  ...split(
    'bdi bdo bgsound big blockquote body br button canvas caption center cite code col colgroup command',
  ),
  ...split('data datalist dd del desc details dfn dialog dir div dl dt em embed fieldset figcaption figure'),
  ...split('font footer foreignobject form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i'),
  ...split('iframe image img input ins kbd keygen label legend li link listing main map mark marquee math'),
  ...split('menu meta meter mi mn mo ms mtext nav nobr noembed noframes noscript object ol optgroup option'),
  ...split('output p param picture plaintext pre progress q rb rp rt rtc ruby s samp script search section'),
  ...split('select slot small source span strike strong style sub summary sup svg table tbody td template'),
  ...split('textarea tfoot th thead time title tr track tt u ul use var video wbr xmp'),
] as const

const attributeNames = [
  ...split(
    'abbr alt alttext aria-busy aria-controls aria-expanded aria-hidden aria-label aria-labelledby charset checked',
  ),
  ...split('cite class colspan content'),
  ...split('content-desc data-lang data-language data-lazy-src data-lazy-srcset data-original'),
  ...split(
    'data-original-src data-original-srcset data-src data-srcset datetime dir display encoding height',
  ),
  ...split('hidden href http-equiv id itemid itemprop itemref itemscope itemtype label lang media name open'),
  ...split('poster prefix property rel resource role rowspan size sizes src srcdoc srcset start style title'),
  ...split('type typeof value vocab width xml:lang'),
] as const

/** Zero is a text among tags, and an unlisted name among attributes. */
export const tag = numbered(tagNames)
export const attr = numbered(attributeNames)

export const listedTags: readonly string[] = ['', ...tagNames]
export const listedAttributes: readonly string[] = ['', ...attributeNames]

/** A question about tags that is answered by one look into a table. */
export function tagSet(text: string): Uint8Array {
  const set = new Uint8Array(listedTags.length)
  for (const name of text.trim().split(/\s+/)) {
    const id = listedTags.indexOf(name)
    if (id < 1) throw new Error(`${name} is not a listed tag`)
    set[id] = 1
  }
  return set
}

function numbered<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  const numbers: Partial<Record<Name, number>> = {}
  for (const [index, name] of names.entries()) numbers[name] = index + 1
  // Every name of the list was just given its number. An object that grew by names is a slow dictionary to the
  // engine, and its copy is not: reading a page takes a sixth less time.
  return { ...numbers } as Record<Name, number>
}

/** Finds the number of a listed name in a page without cutting it out. */
interface NameTable {
  slots: Uint16Array
  names: readonly string[]
}

const slotCount = 4096
const firstHash = 5381

export const tagTable = nameTable(listedTags)
export const attributeTable = nameTable(listedAttributes)

function nameTable(names: readonly string[]): NameTable {
  const slots = new Uint16Array(slotCount)
  for (const [id, name] of names.entries()) {
    if (id === 0) continue
    let slot = hashOf(name, 0, name.length)
    while (slots[slot] !== 0) slot = next(slot)
    slots[slot] = id
  }
  return { slots, names }
}

/** The number of the name that stands there, or zero. */
export function findName(table: NameTable, html: string, start: number, end: number): number {
  const length = end - start
  for (let slot = hashOf(html, start, end); ; slot = next(slot)) {
    const id = table.slots[slot] ?? 0
    if (id === 0) return 0
    const name = table.names[id] ?? ''
    if (name.length === length && isName(name, html, start)) return id
  }
}

function hashOf(text: string, start: number, end: number): number {
  let hash = firstHash
  for (let at = start; at < end; at += 1) hash = ((hash << 5) + hash + lowered(text.charCodeAt(at))) | 0
  return hash & (slotCount - 1)
}

function next(slot: number): number {
  return (slot + 1) & (slotCount - 1)
}

function isName(name: string, html: string, start: number): boolean {
  for (let at = 0; at < name.length; at += 1) {
    if (lowered(html.charCodeAt(start + at)) !== name.charCodeAt(at)) return false
  }
  return true
}

function lowered(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
