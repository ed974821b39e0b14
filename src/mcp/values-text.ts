import { jsonChunks } from '../base/write-json.ts'
import { printable } from './document-text.ts'
import { type Field, isWhole, readFields, wholeValue } from './read-fields.ts'
import type { ToolAnswer } from './tool.ts'

/** An answer that is data rather than a page: as JSON, for a model and for programs; what is too long is cut and named. */
export async function showValues(
  answer: unknown,
  { most, fence }: { most: number; fence?: (text: string) => string },
): Promise<ToolAnswer> {
  const fields = await readFields(jsonChunks(answer), () => ({ offset: 0, most }))
  fields.delete('success')
  let left = most
  const cut: Field[] = []
  const values: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const fits = isWhole(field) && field.text.length <= left
    if (!fits) cut.push(field)
    values[name] = fits ? wholeValue(field) : `${field.text.slice(0, Math.max(left, 0)).toWellFormed()}…`
    left -= field.text.length
  }
  const notes = cut.map(({ name, total }) => `${name} is cut: it has ${total} characters.`)
  const text = printable(JSON.stringify(values, null, 1))
  return { text: [fence ? fence(text) : text, ...notes].join('\n'), structured: values }
}
