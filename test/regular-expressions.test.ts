import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { collectExpressions } from './expressions/collect.ts'

/**
 * Results of earlier analyses by expression, because an analysis takes up to ten seconds. `EXPRESSIONS=write npx
 * vitest run --project unit test/regular-expressions.test.ts` adds new ones.
 */
interface Verdicts {
  /** Digests of expressions whose time grows at most linearly with the length of the text. */
  safe: string[]
  /** All other expressions, with the CPU time for the worst text of 8,000 characters that was found. */
  measured: Record<string, { complexity: string; cpuMs: number }>
}

const file = new URL('./expressions/verdicts.json', import.meta.url)
const knownVerdicts: Verdicts = JSON.parse(readFileSync(file, 'utf8'))
const isWriting = process.env.EXPRESSIONS === 'write'
const maxCpuMs = 500

/** Expressions that take longer, each with the reason why no caller, page, site or model can exploit it. */
const exceptions: Record<string, string> = {
  "/\\s(?:by|von|par|door|av)\\s+((?:\\p{Lu}[\\p{L}\\p{M}.'’-]*\\s?){2,4})(?=$|[\\s,|–—·(-])/u":
    'authorInTitle reads at most 300 characters of a title',
  '/,\\s*(?:[^,]*@|\\+?[\\d(][\\d\\s()/-]{5,}).*$/u': 'once reads texts of fewer than 200 characters',
  "/(\\d[\\d.,'’\\u00A0\\u202F]*(?:\\s?k\\b)?)\\s*(?:[\\p{Sc}]|[A-Za-z]{1,4}\\.?)?\\s*(?:-|–|—|to|bis|à|a|until|and|und|al|t\\/m)\\s*(?:[\\p{Sc}]|[A-Z]{3})?\\s*(\\d[\\d.,'’\\u00A0\\u202F]*(?:\\s?k\\b)?)/u":
    'readBound reads at most 300 characters',
  '/(?:\\d[\\d.,]*\\s*(?:-|–|to|bis|à|a)\\s*)?\\d[\\d.,]*\\s*$/': 'countBefore reads at most 60 characters',
}

const collected = await collectExpressions()
const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16)

it('no expression of the service takes more than half a second for 8,000 characters', {
  timeout: 3_600_000,
}, async () => {
  const safe = new Set(knownVerdicts.safe)
  const verdicts: Verdicts = { safe: [], measured: {} }
  const tooSlow: string[] = []
  for (const [expression, files] of collected.expressions) {
    const digest = digestOf(expression)
    const verdict = safe.has(digest)
      ? 'safe'
      : (knownVerdicts.measured[expression] ?? (await analyse(expression)))
    if (verdict === 'safe') verdicts.safe.push(digest)
    else verdicts.measured[expression] = verdict
    if (verdict !== 'safe' && verdict.cpuMs > maxCpuMs && exceptions[expression] === undefined)
      tooSlow.push(`${files.join()}: ${expression} ${verdict.complexity}, ${verdict.cpuMs} ms`)
  }
  verdicts.safe.sort()
  if (isWriting) writeFileSync(file, `${JSON.stringify(verdicts, undefined, 2)}\n`)
  expect(tooSlow).toEqual([])
})

it('the analysis detects an expression that backtracks', async () => {
  expect(await analyse('/^(?:a+)+$/')).toMatchObject({ complexity: expect.stringContaining('exponential') })
})

it('every exception is an expression of the service', () => {
  expect(Object.keys(exceptions).filter((expression) => !collected.expressions.has(expression))).toEqual([])
})

/**
 * The text of these expressions is only known at run time. Each was reviewed: no part comes from outside without
 * escaping.
 */
it('only reviewed expressions are built at run time', () => {
  expect(collected.builtLater).toMatchInlineSnapshot(`
    [
      "api/unsupported-routes.ts: new RegExp(\`^\${source.replace(/\\/$/, '')}/?$\`)",
      "browser/consent/consent.ts: new RegExp(rule.runContext.urlPattern)",
      "content/links.ts: new RegExp(\`\\\\[(?:[^[\\\\]\\\\\\\\]|\\\\\\\\.)*\\\\]\\\\((?:\${targets.join('|')})\\\\)\\\\n{0,2}\`, 'g')",
      "documents/book.ts: new RegExp(\`(?:^|\\\\s)\${name}\\\\s*=\\\\s*["']([^"']*)["']\`)",
      "documents/ocr/tesseract.ts: new RegExp(\`^\${name}: (\\\\S+)\`, 'm')",
      "documents/pdf/read-pdf.ts: new RegExp(\`<\${name}(?:\\\\s[^<>]{0,500})?>\`)",
      "documents/pdf/read-pdf.ts: new RegExp(\`\\\\s\${name}\\\\s{0,9}=\\\\s{0,9}(?:"([^"]{0,5000})"|'([^']{0,5000})')\`)",
      "extraction/classify/container-stack.ts: new RegExp(\`(?:^|[\\\\s_-])(?:\${nouns})(?:$|[\\\\s_-])\`, 'i')",
      "extraction/classify/page-facts.ts: new RegExp(patterns.map(({ source }) => source).join('|'), flags)",
      "extraction/page-parts/crawl-prompt.ts: new RegExp(pattern, 'g')",
      "extraction/structured-data/embedded-state.ts: new RegExp(pattern)",
      "platform/child/processes.ts: new RegExp(\`^\${name}:\\\\s+(\\\\d+)\`, 'm')",
      "platform/language-model/scripted.ts: new RegExp(pattern)",
    ]
  `)
})

async function analyse(expression: string) {
  const { analyseExpression } = await import('./expressions/analyse.ts')
  return analyseExpression(expression)
}
