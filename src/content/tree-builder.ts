import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { type OpenElements, openElements, type Tree, type TreeLimits } from './open-elements.ts'
import {
  closesParagraph,
  formattingElements,
  headElements,
  headings,
  leavesForeignContent,
  specialElements,
  tablePartParents,
  tableParts,
} from './tree-rules.ts'

export interface TreeOptions extends TreeLimits {
  /** In XHTML every tag may close itself; in HTML a slash at its end means nothing. */
  isXhtml: boolean
}

/**
 * HTML as a tree, without comments. Missing and crossed tags are repaired by those rules of the HTML standard that
 * matter for reading. The work per tag is bounded by the depth limit, so the time is linear in the page.
 */
export function buildTree(html: string, options: TreeOptions): Tree {
  const open = openElements(options)
  const stop = () => tokenizer.pause()
  const tokenizer = new Tokenizer(
    { recognizeSelfClosing: options.isXhtml },
    tokenHandler(html, open, { isXhtml: options.isXhtml, stop }),
  )
  tokenizer.write(html)
  tokenizer.end()
  return open.tree
}

interface HandlerOptions {
  isXhtml: boolean
  /** Ends the reading when the tree is full. */
  stop: () => void
}

function tokenHandler(html: string, open: OpenElements, options: HandlerOptions): TokenizerCallbacks {
  const { isXhtml, stop } = options
  let tagName = ''
  let attributes: Record<string, string> = {}
  let attributeName = ''
  let attributeValue = ''
  const nameAt = (start: number, end: number) => html.slice(start, end).toLowerCase()
  const nothing = () => {}
  const addText = (text: string) => {
    open.addText(text)
    if (open.tree.isCut) stop()
  }
  return {
    onopentagname(start, end) {
      tagName = nameAt(start, end)
      attributes = {}
    },
    onattribname(start, end) {
      attributeName = nameAt(start, end)
      attributeValue = ''
    },
    onattribdata(start, end) {
      attributeValue += html.slice(start, end)
    },
    onattribentity(codePoint) {
      attributeValue += String.fromCodePoint(codePoint)
    },
    onattribend() {
      if (!Object.hasOwn(attributes, attributeName)) attributes[attributeName] = attributeValue
    },
    onopentagend() {
      startTag(open, tagName, attributes)
      if (open.tree.isCut) stop()
    },
    onselfclosingtag() {
      const closes = isXhtml || open.isForeign() || tagName === 'svg' || tagName === 'math'
      startTag(open, tagName, attributes)
      if (closes && open.name() === tagName) open.pop()
    },
    onclosetag: (start, end) => endTag(open, nameAt(start, end)),
    ontext: (start, end) => addText(html.slice(start, end)),
    ontextentity: (codePoint) => addText(String.fromCodePoint(codePoint)),
    oncdata(start, end, offset) {
      if (open.isForeign()) addText(html.slice(start, end - offset))
    },
    oncomment: nothing,
    ondeclaration: nothing,
    onprocessinginstruction: nothing,
    onend: nothing,
    isInForeignContext: () => open.isForeign(),
  }
}

function startTag(open: OpenElements, name: string, attributes: Record<string, string>): void {
  if (open.isForeign() && leavesForeignContent.has(name)) open.popTo(open.nearest(['svg', 'math']))
  if (open.isForeign()) {
    open.add(name, attributes)
    return
  }
  if ((name === 'html' || name === 'body') && isOpen(open, name)) return
  if (name === 'head' && (isOpen(open, 'head') || isOpen(open, 'body'))) return
  closeImplied(open, name)
  open.add(name === 'image' ? 'img' : name, attributes)
}

/** Ends what an author left open before this start tag. */
function closeImplied(open: OpenElements, name: string): void {
  const current = open.name()
  if (current === 'head' && !headElements.has(name)) open.pop()
  if (name === 'li') close(open, ['li'], open.border('list'))
  if (name === 'dd' || name === 'dt') close(open, ['dd', 'dt'], open.border('list'))
  if (closesParagraph.has(name)) closeParagraph(open)
  if (headings.has(name) && headings.has(open.name())) open.pop()
  if ((name === 'option' || name === 'optgroup') && open.name() === 'option') open.pop()
  if (name === 'optgroup' && open.name() === 'optgroup') open.pop()
  if ((name === 'rt' || name === 'rp') && (current === 'rt' || current === 'rp')) open.pop()
  if (name === 'a') close(open, ['a'], open.border('special'))
  if (name === 'button') close(open, ['button'], open.border('scope'))
  const parent = open.nearest(tablePartParents.get(name) ?? [])
  if (parent !== -1) open.popTo(parent + 1)
}

function endTag(open: OpenElements, name: string): void {
  if (name === 'br') startTag(open, 'br', {})
  else if (name === 'p') closeParagraph(open)
  else if (headings.has(name)) close(open, headings, open.border('scope'))
  // What follows the end of the body still belongs to it.
  else if (name !== 'body' && name !== 'html') close(open, [name], borderOf(open, name))
}

function borderOf(open: OpenElements, name: string): number {
  if (tableParts.has(name)) return open.nearest(['table', 'template'])
  if (name === 'li') return Math.max(open.border('scope'), open.nearest(['ul', 'ol']))
  return open.border(specialElements.has(name) || formattingElements.has(name) ? 'scope' : 'special')
}

/** Closes the innermost of these and all inside it, unless a border lies between. */
function close(open: OpenElements, names: Iterable<string>, border: number): void {
  const place = open.nearest(names)
  if (place !== -1 && place >= border) open.popTo(place)
}

function closeParagraph(open: OpenElements): void {
  close(open, ['p'], Math.max(open.border('scope'), open.nearest(['button'])))
}

const isOpen = (open: OpenElements, name: string) => open.nearest([name]) !== -1
