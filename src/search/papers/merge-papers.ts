import type { Paper } from './paper.ts'

export interface RankedPaper {
  paper: Paper
  score: number
}

/** Merges lists of papers, best first, without duplicates. A paper with high ranks in several lists ranks higher (RRF). */
export function mergePapers(lists: readonly (readonly Paper[])[]): RankedPaper[] {
  const merged: RankedPaper[] = []
  const paperByName = new Map<string, RankedPaper>()
  for (const list of lists)
    for (const [rank, paper] of list.entries()) {
      const names = getNames(paper)
      const score = 1 / (60 + rank)
      const existing = names.map((name) => paperByName.get(name)).find((found) => found !== undefined)
      if (existing) {
        existing.score += score
        existing.paper = mergeFields(existing.paper, paper)
      } else merged.push({ paper, score })
      const entry = existing ?? merged.at(-1)
      if (entry) for (const name of names) if (!paperByName.has(name)) paperByName.set(name, entry)
    }
  return merged.sort((one, other) => other.score - one.score)
}

/** Catalogues have different ids of one paper and the same title. */
function getNames({ ids, title }: Paper): string[] {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const isSpecific = words.split(' ').length >= 4
  return [
    ...Object.entries(ids).flatMap(([scheme, values]) => values.map((value) => `${scheme}:${value}`)),
    ...(isSpecific ? [`title:${words}`] : []),
  ]
}

function mergeFields(one: Paper, other: Paper): Paper {
  const ids = { ...one.ids }
  for (const [scheme, values] of Object.entries(other.ids))
    ids[scheme] = [...new Set([...(ids[scheme] ?? []), ...values])]
  return {
    ...other,
    ...one,
    ids,
    text: one.text === '' ? other.text : one.text,
    authors: one.authors.length === 0 ? other.authors : one.authors,
    categories: one.categories.length === 0 ? other.categories : one.categories,
  }
}
