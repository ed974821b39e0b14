import { globSync, readFileSync } from 'node:fs'
import words from './words.json' with { type: 'json' }

interface WordHit {
  path: string
  line: number
  found: string
  use: string
}

/** Words in comments and documents. */
const textRules = words.flatMap(({ text, use }) =>
  text === undefined ? [] : [{ pattern: new RegExp(text, 'i'), use }],
)
/** Names of variables, functions, types and fields. */
const nameRules = words.flatMap(({ name, use }) =>
  name === undefined ? [] : [{ pattern: new RegExp(name), use }],
)

/** Stored or public names, and ordinary English. */
const allowedNames = new Set(['mostLiving', 'mostRecentSuccess'])

/** Pages of others, generated files, and files that quote messages of the service. */
const excluded =
  /^test\/(?:corpus|html5lib|samples|site\/pages)\/|^client\/(?:src\/types\.ts|python\/src\/winnow_client\/types\.py)$|^docs\/(?:configuration|errors|limits|compatibility|imports)\.md$|^CHANGELOG\.md$|^tools\/check-words\./

/** Returns the words in a file that this project replaces by standard terms. */
export function findWords(path: string, source: string): WordHit[] {
  const lines = path.endsWith('.md') ? markdownLines(source) : commentLines(path, source)
  const inText = lines.flatMap(({ text, line }) =>
    textRules.flatMap(({ pattern, use }) => {
      const found = pattern.exec(text)?.[0]
      return found === undefined ? [] : [{ path, line, found, use }]
    }),
  )
  return /\.(?:tsx?|mjs)$/.test(path) ? [...inText, ...findNames(path, source)] : inText
}

/** Returns the paths of the repository that are checked. */
function findCheckedPaths(): string[] {
  const patterns = [
    '*.md',
    '{src,client,console,prepare,test,bench,tools,docs,examples,deploy}/**/*.{ts,tsx,mjs,py,sh,yaml,yml,md}',
  ]
  const exclude = (path: string) => /(?:^|\/)(?:node_modules|dist|\.\w+)$/.test(path)
  return globSync(patterns, { exclude })
    .filter((path) => !excluded.test(path))
    .sort()
}

function findNames(path: string, source: string): WordHit[] {
  const code = source.replaceAll(token, (part) => part.replaceAll(/[^\n]/g, ' '))
  return code
    .split('\n')
    .flatMap((text, index) =>
      [...new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? [])].flatMap((found) =>
        nameRules.flatMap(({ pattern, use }) =>
          pattern.test(found) && !allowedNames.has(found) ? [{ path, line: index + 1, found, use }] : [],
        ),
      ),
    )
}

/** Comments, strings, template literals and regular expressions of TypeScript, in this order. */
const token =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[(=,:[!&|?{;]\s*|^\s*|\breturn\s+)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/gm

/** Returns the lines of comments. Quoted code is omitted. */
function commentLines(path: string, source: string): { text: string; line: number }[] {
  const pattern = /\.(?:py|sh|ya?ml)$/.test(path) ? /"""[\s\S]*?"""|(?<=^|\s)#[^\n]*/gm : token
  return [...source.matchAll(pattern)].flatMap(({ 0: part, index }) => {
    if (pattern === token && !/^\/[/*]/.test(part)) return []
    const first = source.slice(0, index).split('\n').length
    return part
      .replaceAll('"""', '')
      .split('\n')
      .map((text, offset) => ({ text: withoutQuotes(text), line: first + offset }))
  })
}

/** Returns the lines of a document. Code blocks and quoted code are omitted. */
function markdownLines(source: string): { text: string; line: number }[] {
  let isCode = false
  return source.split('\n').flatMap((text, index) => {
    if (/^\s*```/.test(text)) isCode = !isCode
    return isCode ? [] : [{ text: withoutQuotes(text), line: index + 1 }]
  })
}

function withoutQuotes(text: string): string {
  return text.replaceAll(/`[^`]*`|"[^"]*"/g, '')
}

if (import.meta.main) {
  const hits = findCheckedPaths().flatMap((path) => findWords(path, readFileSync(path, 'utf8')))
  for (const { path, line, found, use } of hits)
    process.stderr.write(`${path}:${line}: "${found}". Use instead: ${use}\n`)
  process.exitCode = hits.length > 0 ? 1 : 0
}
