import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import {
  addElement,
  addText,
  border,
  closeCurrent,
  closeTo,
  currentName,
  isForeign,
  nearest,
  type OpenElements,
  openTree,
  type Tree,
  type TreeLimits,
} from './open-elements.ts'
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
 * HTML as a tree, without comments. Missing and crossed tags are repaired by those rules of the HTML standard
 * that matter for reading. The work for a tag does not depend on its depth, so the time is linear in the
 * page.
 */
export function buildTree(html: string, options: TreeOptions): Tree {
  const open = openTree(options)
  const stopWhenFull = () => {
    if (open.tree.isCut) tokenizer.pause()
  }
  const handler = tokenHandler(html, open, { isXhtml: options.isXhtml, stopWhenFull })
  const tokenizer = new Tokenizer({ recognizeSelfClosing: options.isXhtml }, handler)
  tokenizer.write(html)
  tokenizer.end()
  return open.tree
}

interface HandlerOptions {
  isXhtml: boolean
  stopWhenFull: () => void
}

function tokenHandler(html: string, open: OpenElements, options: HandlerOptions): TokenizerCallbacks {
  const tag: Tag = { name: '', attributes: {} }
  const text = (value: string) => {
    addText(open, value)
    options.stopWhenFull()
  }
  const nothing = () => {}
  return {
    ...tagHandler(html, tag),
    onopentagend() {
      startTag(open, tag)
      options.stopWhenFull()
    },
    onselfclosingtag() {
      const closes = options.isXhtml || isForeign(open) || tag.name === 'svg' || tag.name === 'math'
      startTag(open, tag)
      if (closes && currentName(open) === tag.name) closeCurrent(open)
      options.stopWhenFull()
    },
    onclosetag: (start, end) => endTag(open, html.slice(start, end).toLowerCase()),
    ontext: (start, end) => text(html.slice(start, end)),
    ontextentity: (codePoint) => text(String.fromCodePoint(codePoint)),
    oncdata(start, end, offset) {
      if (isForeign(open)) text(html.slice(start, end - offset))
    },
    oncomment: nothing,
    ondeclaration: nothing,
    onprocessinginstruction: nothing,
    onend: nothing,
    isInForeignContext: () => isForeign(open),
  }
}

interface Tag {
  name: string
  attributes: Record<string, string>
}

/** Collects the name and the attributes of a start tag. */
function tagHandler(html: string, tag: Tag) {
  let name = ''
  let value = ''
  return {
    onopentagname(start: number, end: number): void {
      tag.name = html.slice(start, end).toLowerCase()
      tag.attributes = {}
    },
    onattribname(start: number, end: number): void {
      name = html.slice(start, end).toLowerCase()
      value = ''
    },
    onattribdata(start: number, end: number): void {
      value += html.slice(start, end)
    },
    onattribentity(codePoint: number): void {
      value += String.fromCodePoint(codePoint)
    },
    onattribend(): void {
      if (!Object.hasOwn(tag.attributes, name)) tag.attributes[name] = value
    },
  }
}

function startTag(open: OpenElements, { name, attributes }: Tag): void {
  if (isForeign(open) && leavesForeignContent.has(name)) closeTo(open, nearest(open, ['svg', 'math']))
  if (isForeign(open)) {
    addElement(open, name, attributes)
    return
  }
  if ((name === 'html' || name === 'body') && isOpen(open, name)) return
  if (name === 'head' && (isOpen(open, 'head') || isOpen(open, 'body'))) return
  closeImplied(open, name)
  addElement(open, name === 'image' ? 'img' : name, attributes)
}

/** Ends what an author left open before this start tag. */
function closeImplied(open: OpenElements, name: string): void {
  const current = currentName(open)
  if (current === 'head' && !headElements.has(name)) closeCurrent(open)
  if (name === 'li') close(open, ['li'], border(open, 'list'))
  if (name === 'dd' || name === 'dt') close(open, ['dd', 'dt'], border(open, 'list'))
  if (closesParagraph.has(name)) closeParagraph(open)
  if (headings.has(name) && headings.has(currentName(open))) closeCurrent(open)
  if ((name === 'option' || name === 'optgroup') && currentName(open) === 'option') closeCurrent(open)
  if (name === 'optgroup' && currentName(open) === 'optgroup') closeCurrent(open)
  if ((name === 'rt' || name === 'rp') && (current === 'rt' || current === 'rp')) closeCurrent(open)
  if (name === 'a') close(open, ['a'], border(open, 'special'))
  if (name === 'button') close(open, ['button'], border(open, 'scope'))
  const parent = nearest(open, tablePartParents.get(name) ?? [])
  if (parent !== -1) closeTo(open, parent + 1)
}

function endTag(open: OpenElements, name: string): void {
  if (name === 'br') startTag(open, { name, attributes: {} })
  else if (name === 'p') closeParagraph(open)
  else if (headings.has(name)) close(open, headings, border(open, 'scope'))
  // What follows the end of the body still belongs to it.
  else if (name !== 'body' && name !== 'html') close(open, [name], borderOf(open, name))
}

function borderOf(open: OpenElements, name: string): number {
  if (tableParts.has(name)) return nearest(open, ['table', 'template'])
  if (name === 'li') return Math.max(border(open, 'scope'), nearest(open, ['ul', 'ol']))
  return border(open, specialElements.has(name) || formattingElements.has(name) ? 'scope' : 'special')
}

/** Closes the innermost of these and all inside it, unless a border lies between. */
function close(open: OpenElements, names: Iterable<string>, stop: number): void {
  const place = nearest(open, names)
  if (place !== -1 && place >= stop) closeTo(open, place)
}

function closeParagraph(open: OpenElements): void {
  close(open, ['p'], Math.max(border(open, 'scope'), nearest(open, ['button'])))
}

const isOpen = (open: OpenElements, name: string) => nearest(open, [name]) !== -1
