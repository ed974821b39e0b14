import type { PageParts } from '../page-parts/parts.ts'
import type { RenderContext } from './format.ts'
import { type FormatRequest, formatNamed, maxSurcharge } from './index.ts'

export interface RenderedFormats {
  fields: Record<string, unknown>
  /** Why requested formats are missing from the fields, and what to know about those that are not. */
  warnings: string[]
  /** Additional credits of the formats that were produced. */
  surcharge: number
}

/** Requested formats × content → the fields of the document. Formats have no order and never see each other. */
export async function renderFormats(
  requested: FormatRequest[],
  content: PageParts,
  given: Omit<RenderContext, 'warn' | 'waive'>,
): Promise<RenderedFormats> {
  const noted: string[] = []
  const waived = new Set<FormatRequest>()
  const warn = (text: string) => void noted.push(text)
  const parts = await Promise.all(
    requested.map((request) => {
      const { type, ...options } = request
      const kit: RenderContext = { ...given, warn, waive: () => void waived.add(request) }
      return formatNamed(type).render(content, options, kit)
    }),
  )
  const made = requested.filter((_, index) => parts[index]?.unavailable === undefined)
  const warnings = parts.flatMap((part) => (typeof part.unavailable === 'string' ? [part.unavailable] : []))
  const fields = Object.assign({}, ...parts.filter((part) => part.unavailable === undefined))
  const surcharge = maxSurcharge(made.filter((request) => !waived.has(request)))
  return { fields, warnings: [...noted, ...warnings], surcharge }
}
