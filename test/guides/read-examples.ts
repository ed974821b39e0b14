import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const languages = ['sh', 'ts', 'python'] as const
export type Language = (typeof languages)[number]

/** A fenced example of a page, and the answer that the page shows for it. */
export interface Example {
  /** In the repository: `docs/guides/crawl.md`. */
  page: string
  line: number
  language: Language
  code: string
  shown: Fence | undefined
}

export interface Fence {
  line: number
  language: string
  text: string
}

const root = join(import.meta.dirname, '../..')

export const readPage = (path: string) => readFileSync(join(root, path), 'utf8')

/** README and guides. */
export function pagesWithExamples(): string[] {
  const guides = readdirSync(join(root, 'docs/guides')).filter((name) => name.endsWith('.md'))
  return ['README.md', ...guides.sort().map((name) => `docs/guides/${name}`)]
}

/** Languages of fences that nothing runs: answers, and what a page shows of files and other programs. */
const shownLanguages = ['json', 'text', 'console', 'typescript']

/** The same example in several languages stands one below the other; the answer below them is that of each. */
export function readExamples(page: string): Example[] {
  const fences = readFences(readPage(page))
  const unknown = fences.filter(({ language }) => ![...languages, ...shownLanguages].includes(language))
  if (unknown.length > 0) throw new Error(`${page}:${unknown[0]?.line}: what is this fence?`)
  return fences.flatMap((fence, at): Example[] => {
    const language = languages.find((name) => name === fence.language)
    if (!language) return []
    const rest = fences.slice(at + 1)
    const next = rest.find((one) => !isLanguage(one.language) || one.language === language)
    const shown = next && (next.language === 'json' || next.language === 'text') ? next : undefined
    return [{ page, line: fence.line, language, code: fence.text, shown }]
  })
}

const isLanguage = (name: string) => languages.some((language) => language === name)

export function readFences(markdown: string): Fence[] {
  const fences: Fence[] = []
  let open: { line: number; language: string; lines: string[] } | undefined
  for (const [at, line] of markdown.split('\n').entries()) {
    const mark = /^```(\w*)$/.exec(line)
    if (open && mark) {
      fences.push({ line: open.line, language: open.language, text: open.lines.join('\n') })
      open = undefined
    } else if (mark) open = { line: at + 1, language: mark[1] ?? '', lines: [] }
    else open?.lines.push(line)
  }
  return fences
}
