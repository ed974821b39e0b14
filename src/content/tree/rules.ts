import { tag, tagSet } from './names.ts'

/** Roles of elements when tags are missing or crossed, after the HTML standard. */

export const voidElements = tagSet(`
  area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr
`)

/** Elements that may stand in a head; any other ends it. */
export const headElements = tagSet(
  'base basefont bgsound link meta noframes noscript script style template title',
)

export const headings = tagSet('h1 h2 h3 h4 h5 h6')

/** Their content is text up to their end tag, whatever it looks like. */
export const rawTextElements = tagSet('iframe noembed noframes script style textarea title xmp')

/** Of those, the ones in which character references count. */
export const escapableElements = tagSet('textarea title')

/** A start tag of these ends an open paragraph. */
export const closesParagraph = tagSet(`
  address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary
  table ul xmp
`)

/** A stray end tag of an inline element does not reach through these. */
export const specialElements = tagSet(`
  address applet article aside blockquote body button caption center colgroup dd details dir div dl dt
  fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html iframe li listing
  main marquee menu nav noembed noframes noscript object ol p plaintext pre script search section select style
  summary table tbody td template textarea tfoot th thead title tr ul xmp
`)

/** A new list item reaches through these to end the one before it. */
export const openToItems = tagSet('address div p')

/**
 * End tags of these are honoured even across blocks: otherwise one crossed tag would mark the rest of the
 * page.
 */
export const formattingElements = tagSet('a b code em i s strike strong u')

/** No end tag reaches out of these, except one that belongs to a table. */
export const scopeBorders = tagSet('applet caption html marquee object table td template th')

export const tableParts = tagSet('caption col colgroup table tbody td tfoot th thead tr')

/** What may stand in a group of columns; all else ends it. */
export const columnElements = tagSet('col script style template')

/** A list of choices that was left open ends before these; a second one is only the end of the first. */
export const endsSelect = tagSet('input keygen select textarea')

export const rubyParts = tagSet('rb rp rt rtc')

/** Between these and their parts there is no text worth a node. */
export const holdsOnlyParts = tagSet('col colgroup table tbody tfoot thead tr')

/** A line break right behind the start tag of these is not part of their text. */
export const eatsFirstBreak = tagSet('listing pre textarea')

/** A cell that stands in one of these has lost its row. */
export const rowHolders = tagSet('table tbody tfoot thead')

/** Where a new table part belongs: everything above the nearest of these is closed first. */
export const tablePartParents = new Map<number, readonly number[]>([
  [tag.caption, [tag.table, tag.template]],
  [tag.colgroup, [tag.table, tag.template]],
  [tag.col, [tag.colgroup, tag.table, tag.template]],
  [tag.tbody, [tag.table, tag.template]],
  [tag.thead, [tag.table, tag.template]],
  [tag.tfoot, [tag.table, tag.template]],
  [tag.tr, [tag.tbody, tag.thead, tag.tfoot, tag.table, tag.template]],
  [tag.td, [tag.tr, tag.tbody, tag.thead, tag.tfoot, tag.table, tag.template]],
  [tag.th, [tag.tr, tag.tbody, tag.thead, tag.tfoot, tag.table, tag.template]],
])

/** HTML again inside SVG or MathML. */
export const integrationPoints = tagSet('annotation-xml desc foreignobject mi mn mo ms mtext title')

/** A start tag of these ends an SVG or MathML element that was never closed. */
export const leavesForeignContent = tagSet(`
  b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu
  meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
`)
