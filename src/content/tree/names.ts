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
