import type { Paper } from './paper.ts'

export interface RankedPaper {
  paper: Paper
  score: number
}

/** Lists of papers from the best to the worst → one list without repetitions: high in several is higher (RRF). */
export function mergePapers(lists: readonly (readonly Paper[])[]): RankedPaper[] {
  const merged: RankedPaper[] = []
  const known = new Map<string, RankedPaper>()
  for (const list of lists)
    for (const [place, paper] of list.entries()) {
      const names = namesOf(paper)
      const score = 1 / (60 + place)
      const same = names.map((name) => known.get(name)).find((found) => found !== undefined)
      if (same) {
        same.score += score
        same.paper = joined(same.paper, paper)
      } else merged.push({ paper, score })
      const entry = same ?? merged.at(-1)
      if (entry) for (const name of names) if (!known.has(name)) known.set(name, entry)
    }
  return merged.sort((one, other) => other.score - one.score)
}

/** Catalogues know different names of one paper; the title is the same in all of them. */
function namesOf({ ids, title }: Paper): string[] {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const isTelling = words.split(' ').length >= 4
  return [
    ...Object.entries(ids).flatMap(([scheme, values]) => values.map((value) => `${scheme}:${value}`)),
    ...(isTelling ? [`title:${words}`] : []),
  ]
}

function joined(one: Paper, other: Paper): Paper {
  const schemes = new Set([...Object.keys(one.ids), ...Object.keys(other.ids)])
  const ids = Object.fromEntries(
    [...schemes].map((scheme) => [
      scheme,
      [...new Set([...(one.ids[scheme] ?? []), ...(other.ids[scheme] ?? [])])],
    ]),
  )
  return {
    ...other,
    ...one,
    ids,
    text: one.text === '' ? other.text : one.text,
    authors: one.authors.length === 0 ? other.authors : one.authors,
    categories: one.categories.length === 0 ? other.categories : one.categories,
  }
}
