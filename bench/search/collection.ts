import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

const document = z.object({ id: z.string(), title: z.string(), author: z.string(), text: z.string() })
const query = z.object({ id: z.string(), text: z.string() })
const judgement = z.object({ q: z.string(), d: z.string(), grade: z.number() })

export type CollectionDocument = z.infer<typeof document>

/** Query with a relevance grade for each judged document. */
export interface JudgedQuery {
  text: string
  grades: Map<string, number>
}

/** Reads a public test collection: documents, queries and relevance judgements of people. */
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
const discountedSum = (gains: number[]) =>
  gains.reduce((sum, value, index) => sum + value / Math.log2(index + 2), 0)

/** Returns the nDCG@10: how close the order of the first ten results is to the ideal order. */
export function orderScore({ grades }: JudgedQuery, found: readonly string[]): number {
  const ideal = [...grades.values()].toSorted((left, right) => right - left).slice(0, 10)
  const actual = found.slice(0, 10).map((id) => grades.get(id) ?? 0)
  return discountedSum(actual.map(gain)) / discountedSum(ideal.map(gain))
}
