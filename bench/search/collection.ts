import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

const document = z.object({ id: z.string(), title: z.string(), author: z.string(), text: z.string() })
const query = z.object({ id: z.string(), text: z.string() })
const judgement = z.object({ q: z.string(), d: z.string(), grade: z.number() })

export type CollectionDocument = z.infer<typeof document>

/** A query with how well each document that was judged answers it. */
export interface JudgedQuery {
  text: string
  grades: Map<string, number>
}

/** A public test collection: documents, queries and what people said of them. */
export function readCollection(
  folder: string,
  name: string,
): { documents: CollectionDocument[]; queries: JudgedQuery[] } {
  const read = <Row>(part: string, row: z.ZodType<Row>): Row[] =>
    gunzipSync(readFileSync(join(folder, `${name}.${part}.jsonl.gz`)))
      .toString()
      .trim()
      .split('\n')
      .map((line) => row.parse(JSON.parse(line)))
  const judgements = Map.groupBy(read('qrels', judgement), ({ q }) => q)
  const queries = read('queries', query).flatMap(({ id, text }) => {
    const judged = judgements.get(id)
    return judged ? [{ text, grades: new Map(judged.map(({ d, grade }) => [d, grade])) }] : []
  })
  return { documents: read('docs', document), queries }
}

const gain = (grade: number) => 2 ** grade - 1
const discounted = (gains: number[]) => gains.reduce((sum, one, place) => sum + one / Math.log2(place + 2), 0)

/** How near the first ten are to the best order (nDCG@10). */
export function orderScore({ grades }: JudgedQuery, found: readonly string[]): number {
  const ideal = [...grades.values()].toSorted((one, other) => other - one).slice(0, 10)
  const ours = found.slice(0, 10).map((id) => grades.get(id) ?? 0)
  return discounted(ours.map(gain)) / discounted(ideal.map(gain))
}
