import { loadRunner, pagesOf, type Site, toTrainingUrl } from './documentation.ts'
import { loadModels, renderMarkdown } from './evaluate.ts'
import { foldOf } from './samples.ts'

/** Mean figures of the benchmark over sites. Each page is scored with the model that was not trained on its site. */
export type DocumentationScores = Record<string, Record<string, number>>

export async function scoreDocumentation(folder: string): Promise<DocumentationScores> {
  const { runner, sites } = await loadRunner()
  const { foldModels } = loadModels(folder)
  const scoreSite = (site: Site) => {
    const pages = pagesOf(runner, site)
    const modelOfFold = foldModels[foldOf({ url: `http://${site.name}.test/` })]
    if (modelOfFold === undefined) throw new Error(`${site.name} is in none of the folds of ${folder}.`)
    const scores = pages.map((page) =>
      runner.score(
        page.truth,
        renderMarkdown({ url: toTrainingUrl(site, page), html: page.html }, modelOfFold),
      ),
    )
    return runner.FIGURES.map((figure) => mean(scores.map((score) => score[figure])))
  }
  return Object.fromEntries(
    Object.entries(sites).map(([name, siteList]) => {
      const rows = siteList.map(scoreSite)
      const means = runner.FIGURES.map(
        (figure, index) => [figure, mean(rows.map((row) => row[index]))] as const,
      )
      return [name, Object.fromEntries(means.map(([figure, value]) => [figure, round(value ?? 0)]))]
    }),
  )
}

function mean(values: readonly (number | null | undefined)[]): number | undefined {
  const numbers = values.filter((value) => typeof value === 'number')
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0) / numbers.length
}

const round = (value: number) => Math.round(value * 1000) / 1000

export function formatDocumentationScores(scores: DocumentationScores): string {
  const [first = {}] = Object.values(scores)
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.padStart(11)).join(' | ')} |`
  return [
    line(['sites', ...Object.keys(first)]),
    ...Object.entries(scores).map(([name, row]) =>
      line([name, ...Object.values(row).map((value) => value.toFixed(3))]),
    ),
  ].join('\n')
}
