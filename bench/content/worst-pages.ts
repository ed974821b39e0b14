import type { RunResult } from './result.ts'
import type { PageRow } from './scorer.ts'

/** Returns a list of the pages with the lowest scores, by system and set. */
export function worstPages({ rows }: RunResult, count: number): string {
  return Object.entries(rows)
    .flatMap(([system, systemRows]) => {
      const sets = Object.entries(Object.groupBy(systemRows, ({ set }) => set))
      return sets.flatMap(([set, pages = []]) => [
        `${system}, worst of ${set}`,
        ...pages
          .toSorted((left, right) => pageScore(left) - pageScore(right))
          .slice(0, count)
          .map(
            (row) =>
              `  ${pageScore(row).toFixed(3)} ${[row.id, row.type, row.url, row.err].filter(Boolean).join(' ')}`,
          ),
      ])
    })
    .join('\n')
}

function pageScore({ s: { tok, tp = 0, fp = 0, fn = 0, tn = 0 } }: PageRow): number {
  return tok?.f1 ?? (tp + tn) / (tp + tn + fp + fn || 1)
}
