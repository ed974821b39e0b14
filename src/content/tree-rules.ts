/** Names of elements by their role when tags are missing or crossed, after the HTML standard. */

const words = (text: string) => new Set(text.trim().split(/\s+/))

export const voidElements = words(`
  area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr
`)

/** Elements that may stand in a head; any other ends it. */
export const headElements = words(
  'base basefont bgsound link meta noframes noscript script style template title',
)

export const headings = words('h1 h2 h3 h4 h5 h6')

/** A start tag of these ends an open paragraph. */
export const closesParagraph = words(`
  address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary
  table ul xmp
`)

/** A stray end tag of an inline element does not reach through these. */
export const specialElements = words(`
  address applet article aside blockquote body button caption center colgroup dd details dir div dl dt
  fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html iframe li listing
  main marquee menu nav noembed noframes noscript object ol p plaintext pre script search section select style
  summary table tbody td template textarea tfoot th thead title tr ul xmp
`)

/**
 * End tags of these are honoured even across blocks: otherwise one crossed tag would mark the rest of the
 * page.
 */
export const formattingElements = words('a b code em i s strike strong u')

/** No end tag reaches out of these, except one that belongs to a table. */
export const scopeBorders = words('applet caption html marquee object table td template th')

export const tableParts = words('caption col colgroup table tbody td tfoot th thead tr')

/** Where a new table part belongs: everything above the nearest of these is closed first. */
export const tablePartParents = new Map([
  ['caption', words('table template')],
  ['colgroup', words('table template')],
  ['col', words('colgroup table template')],
  ['tbody', words('table template')],
  ['thead', words('table template')],
  ['tfoot', words('table template')],
  ['tr', words('tbody thead tfoot table template')],
  ['td', words('tr tbody thead tfoot table template')],
  ['th', words('tr tbody thead tfoot table template')],
])

/** HTML again inside SVG or MathML. */
export const integrationPoints = words('annotation-xml desc foreignobject mi mn mo ms mtext title')

/** A start tag of these ends an SVG or MathML element that was never closed. */
export const leavesForeignContent = words(`
  b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu
  meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
`)
