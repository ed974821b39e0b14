import { attr, tag, tagSet } from '../tree/names.ts'
import { attribute, classOf, endOf, type Node, parentOf, type Tree } from '../tree/tree.ts'

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
  /^(?:auto|block|code|container|default|none|no-?highlight|plain|plaintext|source|text|txt|wrapper|undefined)$/i

function markedLanguage(tree: Tree, node: Node): string | undefined {
  const named = attribute(tree, node, attr['data-language']) ?? attribute(tree, node, attr['data-lang'])
  const language = named && /^[\w+#.-]{1,30}$/.test(named) ? named : classLanguage(tree, node)
  return language && !noLanguage.test(language) ? language.toLowerCase() : undefined
}

function classLanguage(tree: Tree, node: Node): string | undefined {
  const classes = classOf(tree, node)
  if (!classes) return undefined
  const marked =
    classes.match(/(?:^|\s)(?:language|lang|highlight(?:-source|-text)?)-([\w+#.]{1,30})/i) ??
    classes.match(/(?:^|\s)brush:\s*([\w+#]{1,30})/i) ??
    (tree.tags[node] === tag.figure ? classes.match(/(?:^|\s)highlight\s+([a-z][\w+#]{0,30})/i) : null)
  if (marked) return marked[1]
  if (!/(?:^|\s)(?:hljs|sourceCode|prettyprint)(?:\s|$)/.test(classes)) return undefined
  return classes
    .split(/\s+/)
    .find((name) => /^[a-z][a-z\d+#]{0,20}$/.test(name) && !highlighterNames.has(name))
}

const highlighterNames = new Set(['hljs', 'prettyprint', 'prettyprinted', 'linenums', 'undefined'])
