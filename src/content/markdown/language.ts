import { attr, tag, tagSet } from '../tree/names.ts'
import { attribute, classOf, endOf, type Node, parentOf, type Tree } from '../tree/tree.ts'
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
  /(?:^|\s)(?:language|lang|hl|mw-highlight-lang|source|highlight(?:-source|-text)?)-([\w+#.-]{1,30})(?=\s|$)/i

function classLanguage(tree: Tree, node: Node): string | undefined {
  const classes = classOf(tree, node)
  if (!classes) return undefined
  const marked =
    classes.match(prefixed) ??
    classes.match(/(?:^|\s)brush:\s*([\w+#]{1,30})/i) ??
    (tree.tags[node] === tag.figure ? classes.match(/(?:^|\s)highlight\s+([a-z][\w+#]{0,30})/i) : null)
  if (marked && !noLanguage.test(marked[1] ?? '')) return marked[1]
  return namedLanguage(tree, node, classes) ?? marked?.[1]
}

const highlighters = /(?:^|\s)(?:hljs|sourceCode|prettyprint|highlight|rouge|makeup|chroma|CodeRay)(?:\s|$)/

/** A class that is the name of a language; short ones are names of colours too, unless a highlighter says so. */
function namedLanguage(tree: Tree, node: Node, classes: string): string | undefined {
  const isCode = tree.tags[node] === tag.pre || tree.tags[node] === tag.code
  const isHighlighted = highlighters.test(classes)
  if (!isCode && !isHighlighted) return undefined
  const found = classes.split(/\s+/).find((name) => {
    if (knownLanguage(name) === undefined) return false
    return isCode || name.length > 2
  })
  return found ?? (/(?:^|\s)phpcode(?:\s|$)/.test(classes) ? 'php' : undefined)
}
