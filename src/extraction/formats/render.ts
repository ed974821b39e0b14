import type { PageParts } from '../page-parts/parts.ts'
import type { RenderContext } from './format.ts'
import { type FormatRequest, formatNamed, maxSurcharge } from './index.ts'

export interface RenderedFormats {
  fields: Record<string, unknown>
  /** Reasons for missing formats, and warnings about the produced ones. */
  warnings: string[]
  /** Additional credits of the produced formats. */
  surcharge: number
}

/** Renders the requested formats concurrently into document fields. */
export async function renderFormats(
  requested: FormatRequest[],
  content: PageParts,
  baseContext: Omit<RenderContext, 'warn' | 'waive'>,
): Promise<RenderedFormats> {
  const renderWarnings: string[] = []
  const waived = new Set<FormatRequest>()
  const warn = (text: string) => void renderWarnings.push(text)
  const parts = await Promise.all(
    requested.map((request) => {
      const { type, ...options } = request
      const context: RenderContext = { ...baseContext, warn, waive: () => void waived.add(request) }
      return formatNamed(type).render(content, options, context)
    }),
  )
  const produced = requested.filter((_, index) => parts[index]?.unavailable === undefined)
  const warnings = parts.flatMap((part) => (typeof part.unavailable === 'string' ? [part.unavailable] : []))
  const fields = Object.assign({}, ...parts.filter((part) => part.unavailable === undefined))
  const surcharge = maxSurcharge(produced.filter((request) => !waived.has(request)))
  return { fields, warnings: [...renderWarnings, ...warnings], surcharge }
}
