import { attr, tag, tagSet } from '../tree/names.ts'
import { attribute, classOf, endOf, type Node, parentOf, type Tree, textAt } from '../tree/tree.ts'
import { knownLanguage } from './language-names.ts'

const wrappers = tagSet('code div figure span table tbody td tr')

/** The language a listing is marked with: on its code element, on itself, or on what is wrapped around it. */
export function languageOf(tree: Tree, pre: Node): string {
  const code = firstCode(tree, pre)
  let language = (code === undefined ? undefined : markedLanguage(tree, code)) ?? markedLanguage(tree, pre)
  let parent = parentOf(tree, pre)
  // A listing with line numbers lies in the cell of a table in a figure.
  for (let steps = 0; language === undefined && steps < 7; steps += 1) {
    if (wrappers[tree.tags[parent] ?? 0] !== 1) break
    language = markedLanguage(tree, parent)
    parent = parentOf(tree, parent)
  }
  return language ?? ''
}

/** How many nodes may stand between the start of what wraps a listing and the listing itself. */
const nodesOfLabel = 12
const levelsOfLabel = 3

/** What stands before a listing in its wrapper and only repeats its language: the fence says it already. */
export function languageLabel(tree: Tree, pre: Node): Node[] {
  const labels: Node[] = []
  let text = ''
  let at = pre
  for (let level = 0; level < levelsOfLabel && text === ''; level += 1) {
    const parent = parentOf(tree, at)
    if (parent <= 0 || at - parent > nodesOfLabel) return []
    for (let child = parent + 1; child < at; child = endOf(tree, child)) {
      const own = labelText(tree, child, endOf(tree, child))
      if (own !== '') labels.push(child)
      text += own
    }
    at = parent
  }
  if (text === '') return []
  const language = languageOf(tree, pre)
  const isSame = language !== '' && (knownLanguage(text) ?? text.toLowerCase()) === language
  return isSame ? labels : []
}

/** The text of a few nodes, without that of buttons. */
function labelText(tree: Tree, from: Node, end: Node): string {
  let text = ''
  for (let at = from; at < end; ) {
    if (tree.tags[at] === 0) text += textAt(tree, at)
    at = tree.tags[at] === tag.button ? endOf(tree, at) : at + 1
  }
  return text.trim()
}

function firstCode(tree: Tree, pre: Node): Node | undefined {
  const end = endOf(tree, pre)
  for (let at = pre + 1; at < end; at += 1) if (tree.tags[at] === tag.code) return at
  return undefined
}

const noLanguage =
  /^(?:auto|block|code|console-output|container|default|example|highlight|input|literal|none|no-?highlight|nohighlight|output|plain|plaintext|result|screen|source|text|text-only|txt|wrapper|undefined|unknown)$/i

function markedLanguage(tree: Tree, node: Node): string | undefined {
  const named = attribute(tree, node, attr['data-language']) ?? attribute(tree, node, attr['data-lang'])
  const language = named && /^[\w+#.-]{1,30}$/.test(named) ? named : classLanguage(tree, node)
  return language && !noLanguage.test(language) ? normalised(language.toLowerCase()) : undefined
}

/** What follows a language may say how it is shown: `rust-ignore`, `python-console`. */
function normalised(language: string): string {
  const known = knownLanguage(language)
  if (known !== undefined) return known
  const first = language.split(/[-.]/, 1)[0] ?? ''
  return first === language || noLanguage.test(first) ? language : (knownLanguage(first) ?? language)
}

const prefixed =
  /(?:^|\s)(?:language|mw-highlight-lang|highlight(?:-source|-text)?)-([\w+#.-]{1,30})(?=\s|$)/i
/** On what lies around a listing these may be said of something else: of the language of a text, of a file. */
const vaguelyPrefixed = /(?:^|\s)(?:lang|hl|source|src)-([\w+#.-]{1,30})(?=\s|$)/i

function classLanguage(tree: Tree, node: Node): string | undefined {
  const classes = classOf(tree, node)
  if (!classes) return undefined
  const marked =
    classes.match(prefixed) ??
    classes.match(/(?:^|\s)brush:\s*([\w+#]{1,30})/i) ??
    (tree.tags[node] === tag.figure ? classes.match(/(?:^|\s)highlight\s+([a-z][\w+#]{0,30})/i) : null)
  if (marked && !noLanguage.test(marked[1] ?? '')) return marked[1]
  const vague = classes.match(vaguelyPrefixed)?.[1]
  if (vague !== undefined && (isCode(tree, node) || knownLanguage(vague) !== undefined)) return vague
  return namedLanguage(tree, node, classes) ?? marked?.[1]
}

const isCode = (tree: Tree, node: Node) => tree.tags[node] === tag.pre || tree.tags[node] === tag.code

const highlighters = /(?:^|\s)(?:hljs|sourceCode|prettyprint|highlight|rouge|makeup|chroma|CodeRay)(?:\s|$)/

/** A class that is the name of a language; on what is no code, only beside the name of a highlighter. */
function namedLanguage(tree: Tree, node: Node, classes: string): string | undefined {
  if (/(?:^|\s)phpcode(?:\s|$)/.test(classes)) return 'php'
  if (/(?:^|\s)redoc-json(?:\s|$)/.test(classes)) return 'json'
  if (/(?:^|\s)RktBlk(?:\s|$)/.test(classes)) return 'racket'
  if (isCode(tree, node)) return classes.split(/\s+/).find((name) => knownLanguage(name) !== undefined)
  if (!highlighters.test(classes)) return undefined
  return classes.split(/\s+/).find((name) => name.length > 2 && knownLanguage(name) !== undefined)
}
