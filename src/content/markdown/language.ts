import { once } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  classOf,
  endOf,
  findTag,
  type Node,
  none,
  parentOf,
  type Tree,
  textAt,
} from '../tree/tree.ts'

const wrappers = tagSet('code div figure span table tbody td tr')

/** The language a listing is marked with: on its code element, on itself, or on what is wrapped around it. */
export function languageOf(tree: Tree, pre: Node): string {
  const code = findTag(tree, tag.code, pre + 1, endOf(tree, pre))
  let language = (code === none ? undefined : markedLanguage(tree, code)) ?? markedLanguage(tree, pre)
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

/** The names of languages, each with the other names that highlighters give to it, separated by spaces. */
export type LanguageNames = Record<string, string>

const names = jsonFile<LanguageNames>(new URL('./language-names.json', import.meta.url))

const usual = once(
  () =>
    new Map(
      Object.entries(names()).flatMap(([name, others]) =>
        `${name} ${others}`
          .trim()
          .split(' ')
          .map((other): [string, string] => [other, name]),
      ),
    ),
)

/** The usual name of a language, or nothing for a word that names none. */
const knownLanguage = (word: string): string | undefined => usual().get(word.toLowerCase())

/** Number of characters that are enough to classify a listing. */
const lookedAt = 3000

/** Shell output, line drawings and configuration files are not in the language of the site. */
const otherLines =
  /^ *(?:[$%] ?\S|[\w.-]{1,40}@[\w.-]{1,40}[:~$]|[A-Z]:\\|\[ ?[\w. -]{1,40}\]$|(?:pip3?|npm|git|cargo|mix|gem|sudo|cd|python3?|apt|make) [\w./-])|[├└│┌]|^[ |]*[|+`\\]--/m

/** So begin markup and data. */
const otherStart = /^\s*(?:<[\w!?/]|[[{]\s*(?:["{\]}]|$))/

const endsStatement = /[;{}][ \t]*(?:\/[/*].*)?$/m

/** What shows that a text is in a language, where the site says only that it may be. */
const signs: Record<string, RegExp> = {
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

/** The language of a listing that is not marked with one: what its colours or the generator of the page tell. */
export function impliedLanguage(tree: Tree, pre: Node, text: string, ofSite: () => string): string {
  const start = text.slice(0, lookedAt)
  const coloured = colouredLanguage(tree, pre)
  if (coloured !== '') return coloured
  if (start.startsWith('>>> ')) return ofSite() === 'haskell' ? 'haskell' : 'python'
  if (otherStart.test(start) || otherLines.test(start)) return ''
  const language = isDefault(tree, pre) ? defaultLanguage(tree, pre, start) : ofSite()
  return language !== '' && signs[language]?.test(start) ? language : ''
}

const maxColours = 40

/** Some highlighters name the language in every class, or know only one. */
function colouredLanguage(tree: Tree, pre: Node): string {
  const end = endOf(tree, pre)
  let [looked, special, identifiers] = [0, 0, 0]
  for (let at = pre + 1; at < end && looked < maxColours; at += 1) {
    if (tree.tags[at] !== tag.span) continue
    looked += 1
    const name = classOf(tree, at) ?? ''
    if (name.startsWith('ruby-')) return 'ruby'
    if (name === 'source-line-no') return 'java'
    if (name === 'special') special += 1
    else if (name === 'identifier') identifiers += 1
  }
  // The two are what BoostBook calls the parts of C++.
  return special > 0 && identifiers > 0 ? 'cpp' : ''
}

/** Sphinx takes what is not marked for Python, and colours it if it can be that; so can the code of others. */
function defaultLanguage(tree: Tree, pre: Node, text: string): string {
  const end = endOf(tree, pre)
  let at = pre + 1
  while (at < end && classOf(tree, at) === undefined) at += 1
  return at < end && !/;$|^ *function\b/m.test(text) ? 'python' : ''
}

const levelsOfHighlight = 3

function isDefault(tree: Tree, pre: Node): boolean {
  let at = parentOf(tree, pre)
  for (let level = 0; level < levelsOfHighlight && at > 0; level += 1) {
    if (/(?:^|\s)highlight-default(?:\s|$)/.test(classOf(tree, at) ?? '')) return true
    at = parentOf(tree, at)
  }
  return false
}
