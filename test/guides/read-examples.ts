import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const languages = ['sh', 'ts', 'python'] as const
export type Language = (typeof languages)[number]

/** A fenced example of a page, and the response that the page shows for it. */
export interface Example {
  /** Path in the repository: `docs/guides/crawl.md`. */
  page: string
  line: number
  language: Language
  code: string
  expectedOutput: Fence | undefined
}

export interface Fence {
  line: number
  language: string
  text: string
}

const root = join(import.meta.dirname, '../..')

export const readPage = (path: string) => readFileSync(join(root, path), 'utf8')

/** Returns the README and all guides. */
export function pagesWithExamples(): string[] {
  const guides = readdirSync(join(root, 'docs/guides')).filter((name) => name.endsWith('.md'))
  return ['README.md', ...guides.sort().map((name) => `docs/guides/${name}`)]
}

/** Languages of fences that are not run: responses, and content of files and other programs. */
const shownLanguages = ['json', 'text', 'console', 'typescript']

/**
 * Returns the examples of a page. The same example in several languages is followed by one response that is valid for
 * each language.
 */
export function readExamples(page: string): Example[] {
  const fences = readFences(readPage(page))
  const unknown = fences.filter(({ language }) => ![...languages, ...shownLanguages].includes(language))
  if (unknown.length > 0) throw new Error(`${page}:${unknown[0]?.line}: what is this fence?`)
  return fences.flatMap((fence, index): Example[] => {
    const language = languages.find((name) => name === fence.language)
    if (!language) return []
    const following = fences.slice(index + 1)
    const next = following.find(
      (candidate) => !isLanguage(candidate.language) || candidate.language === language,
    )
    const shown = next && (next.language === 'json' || next.language === 'text') ? next : undefined
    return [{ page, line: fence.line, language, code: fence.text, expectedOutput: shown }]
  })
}

const isLanguage = (name: string) => languages.some((language) => language === name)

export function readFences(markdown: string): Fence[] {
  const fences: Fence[] = []
  let open: { line: number; language: string; lines: string[] } | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const delimiter = /^```(\w*)$/.exec(line)
    if (open && delimiter) {
      fences.push({ line: open.line, language: open.language, text: open.lines.join('\n') })
      open = undefined
    } else if (delimiter) open = { line: index + 1, language: delimiter[1] ?? '', lines: [] }
    else open?.lines.push(line)
  }
  return fences
}
