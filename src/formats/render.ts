import type { Content } from '../content/content.ts'
import { type FormatRequest, formats } from './index.ts'

/** Requested formats × content → the fields of the document. Formats have no order and never see each other. */
export async function renderFormats(
  requested: FormatRequest[],
  content: Content,
): Promise<Record<string, unknown>> {
  const parts = await Promise.all(
    requested.map((request) => {
      const format = formats.find((candidate) => candidate.name === request.type)
      if (!format) throw new Error(`No such format: ${request.type}`)
      const { type: _, ...options } = request
      return format.render(content, options)
    }),
  )
  return Object.assign({}, ...parts)
}
