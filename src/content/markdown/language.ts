import { lazy } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  classOf,
  endOf,
  findNode,
  findTag,
  type Node,
  none,
  parentOf,
  type Tree,
  textAt,
} from '../tree/tree.ts'

const wrappers = tagSet('code div figure span table tbody td tr')

export function getCodeLanguage(tree: Tree, pre: Node): string {
  const code = findTag(tree, tag.code, pre + 1, endOf(tree, pre))
  let language = (code === none ? undefined : getMarkedLanguage(tree, code)) ?? getMarkedLanguage(tree, pre)
  let parent = parentOf(tree, pre)
  for (let steps = 0; language === undefined && steps < 7; steps += 1) {
    if (wrappers[tree.tags[parent] ?? 0] !== 1) break
    language = getMarkedLanguage(tree, parent)
    parent = parentOf(tree, parent)
  }
  return language ?? ''
}

const maxNodesBeforeListing = 12
const maxLabelLevels = 3

/** Returns labels before a listing that only repeat its language, because the fence contains it already. */
export function findLanguageLabels(tree: Tree, pre: Node): Node[] {
  const labels: Node[] = []
  let text = ''
  let at = pre
  for (let level = 0; level < maxLabelLevels && text === ''; level += 1) {
    const parent = parentOf(tree, at)
    if (parent <= 0 || at - parent > maxNodesBeforeListing) return []
    for (let child = parent + 1; child < at; child = endOf(tree, child)) {
      const childText = readLabelText(tree, child, endOf(tree, child))
      if (childText !== '') labels.push(child)
      text += childText
    }
    at = parent
  }
  if (text === '') return []
  const language = getCodeLanguage(tree, pre)
  const isSameLanguage = language !== '' && (knownLanguage(text) ?? text.toLowerCase()) === language
  return isSameLanguage ? labels : []
}

function readLabelText(tree: Tree, from: Node, end: Node): string {
  let text = ''
  for (let at = from; at < end; ) {
    if (tree.tags[at] === 0) text += textAt(tree, at)
    at = tree.tags[at] === tag.button ? endOf(tree, at) : at + 1
  }
  return text.trim()
}

const notALanguage =
  /^(?:auto|block|code|console-output|container|default|example|highlight|input|literal|none|no-?highlight|nohighlight|output|plain|plaintext|result|screen|source|text|text-only|txt|wrapper|undefined|unknown)$/i

function getMarkedLanguage(tree: Tree, node: Node): string | undefined {
  const named = attribute(tree, node, attr['data-language']) ?? attribute(tree, node, attr['data-lang'])
  const language = named && /^[\w+#.-]{1,30}$/.test(named) ? named : getClassLanguage(tree, node)
  return language && !notALanguage.test(language) ? normalise(language.toLowerCase()) : undefined
}

function normalise(language: string): string {
  const known = knownLanguage(language)
  if (known !== undefined) return known
  const first = language.split(/[-.]/, 1)[0] ?? ''
  return first === language || notALanguage.test(first) ? language : (knownLanguage(first) ?? language)
}

const prefixed =
  /(?:^|\s)(?:language|mw-highlight-lang|highlight(?:-source|-text)?)-([\w+#.-]{1,30})(?=\s|$)/i
/** Prefixes that may refer to something else on a wrapper: the language of a text, the source of a file. */
const ambiguouslyPrefixed = /(?:^|\s)(?:lang|hl|source|src)-([\w+#.-]{1,30})(?=\s|$)/i

function getClassLanguage(tree: Tree, node: Node): string | undefined {
  const classes = classOf(tree, node)
  if (!classes) return undefined
  const marked =
    classes.match(prefixed) ??
    classes.match(/(?:^|\s)brush:\s*([\w+#]{1,30})/i) ??
    (tree.tags[node] === tag.figure ? classes.match(/(?:^|\s)highlight\s+([a-z][\w+#]{0,30})/i) : null)
  if (marked && !notALanguage.test(marked[1] ?? '')) return marked[1]
  const ambiguous = classes.match(ambiguouslyPrefixed)?.[1]
  if (ambiguous !== undefined && (isCode(tree, node) || knownLanguage(ambiguous) !== undefined))
    return ambiguous
  return findNamedLanguage(tree, node, classes) ?? marked?.[1]
}

const isCode = (tree: Tree, node: Node) => tree.tags[node] === tag.pre || tree.tags[node] === tag.code

const highlighters = /(?:^|\s)(?:hljs|sourceCode|prettyprint|highlight|rouge|makeup|chroma|CodeRay)(?:\s|$)/

/** On other elements than code, this requires a class of a highlighter. */
function findNamedLanguage(tree: Tree, node: Node, classes: string): string | undefined {
  if (/(?:^|\s)phpcode(?:\s|$)/.test(classes)) return 'php'
  if (/(?:^|\s)redoc-json(?:\s|$)/.test(classes)) return 'json'
  if (/(?:^|\s)RktBlk(?:\s|$)/.test(classes)) return 'racket'
  if (isCode(tree, node)) return classes.split(/\s+/).find((name) => knownLanguage(name) !== undefined)
  if (!highlighters.test(classes)) return undefined
  return classes.split(/\s+/).find((name) => name.length > 2 && knownLanguage(name) !== undefined)
}

/** Names of languages, each with its aliases in highlighters, separated by spaces. */
export type LanguageNames = Record<string, string>

const readNames = jsonFile<LanguageNames>(new URL('./language-names.json', import.meta.url))

const namesByAlias = lazy(() => {
  const names = new Map<string, string>()
  for (const [name, others] of Object.entries(readNames()))
    for (const alias of `${name} ${others}`.trim().split(' ')) names.set(alias, name)
  return names
})

const knownLanguage = (word: string): string | undefined => namesByAlias().get(word.toLowerCase())

const maxReadLength = 3000

/** Shell output, line drawings and configuration files are not in the language of the site. */
const otherLines =
  /^ *(?:[$%] ?\S|[\w.-]{1,40}@[\w.-]{1,40}[:~$]|[A-Z]:\\|\[ ?[\w. -]{1,40}\]$|(?:pip3?|npm|git|cargo|mix|gem|sudo|cd|python3?|apt|make) [\w./-])|[├└│┌]|^[ |]*[|+`\\]--/m

const otherStart = /^\s*(?:<[\w!?/]|[[{]\s*(?:["{\]}]|$))/
const endsStatement = /[;{}][ \t]*(?:\/[/*].*)?$/m

const languagePatterns: Record<string, RegExp> = {
  java: endsStatement,
  groovy: /[;{}][ \t]*(?:\/[/*].*)?$|^ *(?:assert|def|import|println|@\w+) ?\b|\w\(.*\)$| = /m,
  rust: /[;{}][ \t]*(?:\/[/*].*)?$|^ *(?:fn|let|use|pub|impl|#\[)/m,
  haskell: /::|->|<-|=>|^ *(?:data|type|newtype|class|instance|import|module|let|>>>) | = /m,
  ruby: /^ *(?:def|class|module|require|puts|end|include|attr_\w+|raise)\b|\bdo\b *(?:\||$)|=>|\.\w+[!?(]| = |\w\(.*\)|^ *#/m,
  cpp: /[;{}][ \t]*(?:\/[/*].*)?$|^ *(?:#include|template|class|struct|namespace|using|typedef)\b|\w\(.*\)/m,
  c: /[;{}][ \t]*(?:\/[/*].*)?$|^ *#(?:define|include)\b/m,
  elixir: /^ *(?:iex[(>]|def\w* |use |alias |import |@\w+ )|\|>|%\{|\bdo$| = |\w\.\w+\(/m,
  scala: /^ *(?:val|var|def|import|package|class|object|trait|case|type)\b|=>|[;{}]$/m,
  go: /^ *(?:func|type|package|import|var|const)\b|:=|[{}]$/m,
  python:
    /^ *(?:>>> |from [\w.]+ import |import \w|def \w|class \w|@\w|return\b|raise |with .{1,200}:$|for .{1,200}:$|if .{1,200}:$|try:$)|^ *[\w.[\]"', ]{1,80} = (?:["'\d([{]|[\w.]{1,80}\(|True|False|None|lambda )|^ *[\w.]{1,80}\(/m,
}

export function inferLanguage(tree: Tree, pre: Node, text: string, getSiteLanguage: () => string): string {
  const start = text.slice(0, maxReadLength)
  const highlighted = getHighlightedLanguage(tree, pre)
  if (highlighted !== '') return highlighted
  if (start.startsWith('>>> ')) return getSiteLanguage() === 'haskell' ? 'haskell' : 'python'
  if (otherStart.test(start) || otherLines.test(start)) return ''
  const language = isDefault(tree, pre) ? getDefaultLanguage(tree, pre, start) : getSiteLanguage()
  return language !== '' && languagePatterns[language]?.test(start) ? language : ''
}

const maxHighlightedNodes = 40

function getHighlightedLanguage(tree: Tree, pre: Node): string {
  const end = endOf(tree, pre)
  let [checked, special, identifiers] = [0, 0, 0]
  for (let at = pre + 1; at < end && checked < maxHighlightedNodes; at += 1) {
    if (tree.tags[at] !== tag.span) continue
    checked += 1
    const name = classOf(tree, at) ?? ''
    if (name.startsWith('ruby-')) return 'ruby'
    if (name === 'source-line-no') return 'java'
    if (name === 'special') special += 1
    else if (name === 'identifier') identifiers += 1
  }
  // BoostBook uses these two names for parts of C++.
  return special > 0 && identifiers > 0 ? 'cpp' : ''
}

/** Sphinx assumes Python for unmarked code, and highlights it if it parses as Python; other languages may parse too. */
function getDefaultLanguage(tree: Tree, pre: Node, text: string): string {
  const highlighted = findNode(pre + 1, endOf(tree, pre), (at) => classOf(tree, at) !== undefined)
  return highlighted !== none && !/;$|^ *function\b/m.test(text) ? 'python' : ''
}

const maxHighlightLevels = 3

function isDefault(tree: Tree, pre: Node): boolean {
  let at = pre
  for (let level = 0; level < maxHighlightLevels && at > 0; level += 1) {
    at = parentOf(tree, at)
    if (/(?:^|\s)highlight-default(?:\s|$)/.test(classOf(tree, at) ?? '')) return true
  }
  return false
}
