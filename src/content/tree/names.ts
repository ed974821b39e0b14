/** Names as small numbers, so that a tree is arrays of numbers; unlisted names get numbers in each tree. */

const splitNames = <const Text extends string>(text: Text) =>
  // Every part of the text is a name or empty, and the pattern skips the empty ones.
  text.trim().split(/\s+/) as Exclude<Split<Split<Text, '\n'>, ' '>, ''>[]

type Split<
  Text extends string,
  Separator extends string,
  Parts = never,
> = Text extends `${infer Head}${Separator}${infer Rest}`
  ? Split<Rest, Separator, Parts | Head>
  : Parts | Text

const tagNames = splitNames(`
  a abbr acronym address annotation annotation-xml applet area article aside audio b base basefont bdi bdo
  bgsound big blockquote body br button canvas caption center cite code col colgroup command data datalist dd
  del desc details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer foreignobject form
  frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins kbd keygen label
  legend li link listing main map mark marquee math menu meta meter mi mn mo ms mtext nav nobr noembed noframes
  noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp
  script search section select slot small source span strike strong style sub summary sup svg table tbody td
  template textarea tfoot th thead time title tr track tt u ul use var video wbr xmp
`)

const attributeNames = splitNames(`
  abbr alt alttext aria-busy aria-controls aria-expanded aria-hidden aria-label aria-labelledby charset checked
  cite class colspan content content-desc data-lang data-language data-lazy-src data-lazy-srcset data-original
  data-original-src data-original-srcset data-src data-srcset datetime dir display encoding height hidden href
  http-equiv id itemid itemprop itemref itemscope itemtype label lang media name open poster prefix property rel
  resource role rowspan size sizes src srcdoc srcset start style title type typeof value vocab width xml:lang
`)

/** Zero means a text node among tags, and an unlisted name among attributes. */
export const tag = numberNames(tagNames)
export const attr = numberNames(attributeNames)

export const listedTags: readonly string[] = ['', ...tagNames]
export const listedAttributes: readonly string[] = ['', ...attributeNames]

export function tagSet(text: string): Uint8Array {
  const set = new Uint8Array(listedTags.length)
  for (const name of text.trim().split(/\s+/)) {
    const id = listedTags.indexOf(name)
    if (id < 1) throw new Error(`${name} is not a listed tag`)
    set[id] = 1
  }
  return set
}

function numberNames<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  const numbers: Partial<Record<Name, number>> = {}
  for (const [index, name] of names.entries()) numbers[name] = index + 1
  // Every name of the list has its number now. V8 keeps an object that grew by names in slow dictionary mode, but not
  // its copy: with the copy, reading a page takes a sixth less time.
  return { ...numbers } as Record<Name, number>
}

const slotCount = 4096
const firstHash = 5381

export const tagTable = createNameTable(listedTags)
export const attributeTable = createNameTable(listedAttributes)

export function createNameTable(names: readonly string[]) {
  const slots = new Uint16Array(slotCount)
  for (const [id, name] of names.entries()) {
    if (id === 0) continue
    let slot = hashName(name, 0, name.length)
    while (slots[slot] !== 0) slot = nextSlot(slot)
    slots[slot] = id
  }
  return { slots, names }
}

export function findName(table: typeof tagTable, html: string, start: number, end: number): number {
  const length = end - start
  for (let slot = hashName(html, start, end); ; slot = nextSlot(slot)) {
    const id = table.slots[slot] ?? 0
    if (id === 0) return 0
    const name = table.names[id] ?? ''
    if (name.length === length && isName(name, html, start)) return id
  }
}

function hashName(text: string, start: number, end: number): number {
  let hash = firstHash
  for (let at = start; at < end; at += 1) hash = ((hash << 5) + hash + toLowerCase(text.charCodeAt(at))) | 0
  return hash & (slotCount - 1)
}

function nextSlot(slot: number): number {
  return (slot + 1) & (slotCount - 1)
}

function isName(name: string, html: string, start: number): boolean {
  for (let at = 0; at < name.length; at += 1) {
    if (toLowerCase(html.charCodeAt(start + at)) !== name.charCodeAt(at)) return false
  }
  return true
}

function toLowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
