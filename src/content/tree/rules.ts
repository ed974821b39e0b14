import { tag, tagSet } from './names.ts'

/** Element categories for repairing missing and crossed tags, after the HTML standard. */

export const voidElements = tagSet(`
  area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr
`)

export const headElements = tagSet(
  'base basefont bgsound link meta noframes noscript script style template title',
)

export const headings = tagSet('h1 h2 h3 h4 h5 h6')
export const rawTextElements = tagSet('iframe noembed noframes script style textarea title xmp')
export const escapableElements = tagSet('textarea title')

export const closesParagraph = tagSet(`
  address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary
  table ul xmp
`)

export const specialElements = tagSet(`
  address applet article aside blockquote body button caption center colgroup dd details dir div dl dt
  fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html iframe li listing
  main marquee menu nav noembed noframes noscript object ol p plaintext pre script search section select style
  summary table tbody td template textarea tfoot th thead title tr ul xmp
`)

export const crossedByListItems = tagSet('address div p')

/** Elements whose end tags work across blocks: otherwise one crossed tag would format the rest of the page. */
export const formattingElements = tagSet('a b code em i s strike strong u')
export const scopeBorders = tagSet('applet caption html marquee object table td template th')
export const tableParts = tagSet('caption col colgroup table tbody td tfoot th thead tr')
export const columnElements = tagSet('col script style template')

/** Elements that close an open select; the start tag of a second select only closes the first. */
export const closesSelect = tagSet('input keygen select textarea')
export const rubyParts = tagSet('rb rp rt rtc')
export const ignoresWhiteSpace = tagSet('col colgroup table tbody tfoot thead tr')
export const ignoresFirstLineBreak = tagSet('listing pre textarea')
export const impliesRow = tagSet('table tbody tfoot thead')

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

export const integrationPoints = tagSet('annotation-xml desc foreignobject mi mn mo ms mtext title')

export const closesForeignContent = tagSet(`
  b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu
  meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
`)
