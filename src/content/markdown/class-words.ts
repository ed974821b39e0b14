import { attr } from '../tree/names.ts'
import type { Node, Tree } from '../tree/tree.ts'

/** The meaning of the class names of an element, as bits. */
export const says = {
  /** Buttons to copy, the edit links of a wiki, the names of icons in a font: nothing of it is text. */
  silent: 1,
  callout: 2,
  permalink: 4,
  /** An editor or a viewer that shows code without `pre`. */
  listing: 8,
  /** It may carry its formula in an attribute. */
  formula: 16,
  /** A drawing of the formula that stands before it. */
  repeatsFormula: 32,
  /** A drawing of the formula in the script behind it. */
  awaitsFormula: 64,
  footnotes: 128,
  isDisplay: 256,
  /** Line numbers, if it holds nothing but numbers: some sites call the space between columns so. */
  numbers: 512,
  /** The declaration of a function or a type, put together from many small elements. */
  signature: 1024,
  /** The name in such a declaration, which has no separate class. */
  partOfSignature: 32768,
  /** The kind of a term, which a style sheet parts from it by a colon. */
  classifier: 2048,
  /** Tabs: what one is called, or the labels of several. */
  tabs: 4096,
  /** The number of a cell in a notebook or the sign of a tooltip, if it holds nothing else. */
  prompt: 8192,
  /** A badge, or words for screen readers: nothing in the text parts it from what stands beside it. */
  apart: 65536,
  /** Its parts stand on lines of their own, by the style sheet alone. */
  lines: 131072,
  /** The head of an operation of an API. */
  operation: 262144,
  /** A table whose cells follow one another without rows. */
  grid: 16384,
  /** Code in a line, by the style sheet alone. */
  code: 524288,
  emphasis: 1048576,
}

const lists: [number, string][] = [
  [
    says.silent,
    `mw-editsection mw-cite-backlink
    mathjax_preview copy-btn copy-button copy-code copy-code-button btn-clipboard btn-copy clipboard-copy
    zeroclipboard-container code-copy codecopy footnote-backref footnote-backlink footnote-back
    reversefootnote easy-footnote-to-top material-icons material-icons-outlined material-icons-round
    material-icons-sharp material-icons-two-tone material-symbols-outlined material-symbols-rounded
    material-symbols-sharp viewcode-link viewcode-back srclink method-click-advice notable-traits test-arrow scalar-code-copy hideme copybtn
    md-content__button`,
  ],
  [
    says.numbers,
    `gutter lineno source-line-no linenos linenumber linenumbers line-number linenodiv line-numbers-rows blob-num lnt
    line-numbers-wrapper src-line-numbers hljs-ln-numbers rouge-gutter react-syntax-highlighter-line-number code-gutter cm-gutters ace_gutter
    codemirror-gutters codemirror-gutter-wrapper codemirror-linenumber`,
  ],
  [
    says.callout,
    `admonition admonitionblock markdown-alert callout theme-admonition custom-block starlight-aside
    notecard alert hint admonition-block confluence-information-macro docs-callout custom-container
    hint-container bs-callout nextra-callout note tip important warning caution danger attention sidebar topic`,
  ],
  [
    says.permalink,
    `headerlink header-anchor heading-anchor anchor-link hash-link anchorjs-link anchor header-link
    heading-link permalink section-link headinganchor direct-link autolink-header heading-permalink
    copiable-link copiable-anchor selflink toc-backref`,
  ],
  [says.listing, 'codemirror-code cm-content view-lines fragment phpcode redoc-json rktblk'],
  [
    says.signature,
    `sig sig-object member-signature type-signature code-header method-heading memname funcprototype-table
    methodsynopsis constructorsynopsis destructorsynopsis fieldsynopsis tsd-signature src rforeground`,
  ],
  [says.partOfSignature, 'descname def-name category category-def funcdef'],
  [says.classifier, 'classifier'],
  [says.lines, 't-lines'],
  [says.operation, 'opblock-summary'],
  [
    says.apart,
    `badge mlabel http-verb operation-type request-method endpoint-method property-detail screen-reader-text sr-only
    visually-hidden visuallyhidden screenreader-only stab`,
  ],
  [
    says.tabs,
    `tabbed-labels tabbed-set sd-tab-set tab-set vp-code-group sphinx-tabs tabs nav-tabs tab-links tablist
    tabs-nav tab-nav`,
  ],
  [says.prompt, 'tooltip prompt input_prompt output_prompt jp-inputprompt jp-outputprompt'],
  [says.grid, 'summary-table'],
  [
    says.code,
    `code tt inline-code inlinecode code-inline monospace monospaced typewriter cmtt-10 ectt-1000 ltx_font_typewriter
    docbook_option docbook_filename docbook_command docbook_function docbook_literal docbook_userinput rktval rktsym
    rktpn rktkw rktmeta rktvar rktout rktres rkterr`,
  ],
  [says.emphasis, 'docbook_emphasis docbook_parameter docbook_replaceable ltx_font_italic'],
  [
    says.formula,
    'math tex latex math-inline math-block math-display katex-source equation formula ql-formula',
  ],
  [says.formula | says.isDisplay, 'math-display math-block'],
  [says.repeatsFormula, 'katex-html mwe-math-fallback-image-inline mwe-math-fallback-image-display'],
  [says.awaitsFormula, 'mathjax mathjax_display mathjax_svg mathjax_svg_display mathjax_chtml mjx-chtml'],
  [
    says.footnotes,
    `footnote footnotes footnote-ref footnote-reference footnotes-list reference references noteref
    footnote-definition easy-footnote ltx_note`,
  ],
]

interface Words {
  /** By hash: the place of a word in the list, or zero. */
  slots: Uint16Array
  names: string[]
  bits: number[]
}

const slotCount = 2048
const firstHash = 5381

const words = wordTable()

function wordTable(): Words {
  const table: Words = { slots: new Uint16Array(slotCount), names: [''], bits: [0] }
  for (const [bits, list] of lists) {
    for (const name of list.trim().split(/\s+/)) {
      let slot = hashOf(name, 0, name.length)
      while (table.slots[slot] && table.names[table.slots[slot] ?? 0] !== name) slot = next(slot)
      const place = table.slots[slot] || table.names.push(name) - 1
      table.slots[slot] = place
      table.bits[place] = (table.bits[place] ?? 0) | bits
    }
  }
  return table
}

/**
 * Nearly every element has a class and nearly none says anything here, so the names are looked up where they
 * stand in the page, without cutting them out.
 */
export function classSays(tree: Tree, node: Node): number {
  const { names, starts, stops } = tree.attributes
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    if (names[at] !== attr.class) continue
    const start = starts[at] ?? 0
    if (start >= 0) return bitsOf(tree.html, start, stops[at] ?? 0)
    const decoded = tree.decoded[-1 - start] ?? ''
    return bitsOf(decoded, 0, decoded.length)
  }
  return 0
}

function bitsOf(text: string, start: number, stop: number): number {
  let bits = 0
  let from = start
  let hash = firstHash
  for (let at = start; at <= stop; at += 1) {
    const code = at < stop ? text.charCodeAt(at) : 32
    if (code > 32) {
      hash = mixed(hash, code)
      continue
    }
    if (at > from) bits |= find(text, from, at, hash & (slotCount - 1))
    from = at + 1
    hash = firstHash
  }
  return bits
}

function find(text: string, start: number, stop: number, hash: number): number {
  for (let slot = hash; ; slot = next(slot)) {
    const place = words.slots[slot] ?? 0
    if (place === 0) return 0
    const name = words.names[place] ?? ''
    if (name.length === stop - start && text.slice(start, stop).toLowerCase() === name) {
      return words.bits[place] ?? 0
    }
  }
}

function hashOf(text: string, start: number, stop: number): number {
  let hash = firstHash
  for (let at = start; at < stop; at += 1) hash = mixed(hash, text.charCodeAt(at))
  return hash & (slotCount - 1)
}

// Letters of either case give one hash.
function mixed(hash: number, code: number): number {
  return ((hash << 5) + hash + (code | 32)) | 0
}

function next(slot: number): number {
  return (slot + 1) & (slotCount - 1)
}
