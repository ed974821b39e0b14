import { addressOf, loadRunner, pagesOf, type Site } from './documentation.ts'
import { markdownOf, modelsOf } from './evaluate.ts'
import { foldOf } from './samples.ts'

/** Means over sites of what the benchmark counts, each page by the model that has seen no page of its site. */
export type DocumentationScores = Record<string, Record<string, number>>

export async function scoreDocumentation(folder: string): Promise<DocumentationScores> {
  const { runner, sites } = await loadRunner()
  const { parts } = modelsOf(folder)
  const figuresOf = (site: Site) => {
    const pages = pagesOf(runner, site)
    const used = parts[foldOf({ url: `http://${site.name}.test/` })]
    if (used === undefined) throw new Error(`${site.name} is in none of the folds of ${folder}.`)
    const scores = pages.map((page) =>
      runner.score(page.truth, markdownOf({ url: addressOf(site, page), html: page.html }, used)),
    )
    return runner.FIGURES.map((figure) => mean(scores.map((score) => score[figure])))
  }
  return Object.fromEntries(
    Object.entries(sites).map(([name, list]) => {
      const rows = list.map(figuresOf)
      const means = runner.FIGURES.map((figure, at) => [figure, mean(rows.map((row) => row[at]))] as const)
      return [name, Object.fromEntries(means.map(([figure, value]) => [figure, rounded(value ?? 0)]))]
    }),
  )
}

function mean(values: readonly (number | null | undefined)[]): number | undefined {
  const known = values.filter((value) => typeof value === 'number')
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length
}

const rounded = (value: number) => Math.round(value * 1000) / 1000

export function printDocumentation(scores: DocumentationScores): string {
  const [first = {}] = Object.values(scores)
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.padStart(11)).join(' | ')} |`
  return [
    line(['sites', ...Object.keys(first)]),
    ...Object.entries(scores).map(([name, row]) =>
      line([name, ...Object.values(row).map((value) => value.toFixed(3))]),
    ),
  ].join('\n')
}
