import type { PageContext } from '../../fields/extracted-value.ts'
import type { FieldSpec, ObjectSpec } from '../../schema/field-spec.ts'
import { type FillResult, fillFields } from '../fill-fields.ts'
import type { RenderContext } from '../format.ts'
import { modelWarning } from '../model-warning.ts'
import { warnAboutInjection } from '../passages/quote-passages.ts'
import { specForPrompt } from '../schema-for-prompt.ts'
import { named } from './options.ts'

/** Request of a format to the language model. */
interface ModelRequest {
  format: string
  prompt: string | undefined
  /** Visible text of the page, line by line. */
  text: string
  context: PageContext
  /** Number of prompt injection lines that are not sent to the model. */
  injectionCount: number
}

/** Fills the missing fields with the language model. Returns undefined and adds a warning if the model failed. */
export async function askForMissing(
  renderContext: RenderContext,
  { format, ...request }: ModelRequest & { spec: FieldSpec; missing: readonly string[] },
): Promise<FillResult | undefined> {
  const { spec } = request
  const { model, work } = renderContext
  if (spec.kind !== 'object' || !model || request.missing.length === 0) return undefined
  try {
    const filled = await fillFields({ model, work }, { ...request, spec }, renderContext.signal)
    warnAboutModel(renderContext, format, { ...filled, injectionCount: request.injectionCount })
    return filled
  } catch (error) {
    renderContext.warn(`${format}: the language model could not help: ${modelWarning(error)}.`)
    return undefined
  }
}

/** Extracts values without a schema: the model derives fields from the prompt, then fills them. */
export async function askByPrompt(
  renderContext: RenderContext,
  { format, prompt, ...request }: ModelRequest & { prompt: string },
): Promise<{ spec: ObjectSpec; filled: FillResult } | { problem: string }> {
  const { model, work } = renderContext
  if (!model) return { problem: needsSchema(format) }
  try {
    const spec = await specForPrompt({ model, work }, prompt, renderContext.signal)
    const missing = [...spec.fields.keys()]
    const filled = await fillFields(
      { model, work },
      { ...request, prompt, spec, missing },
      renderContext.signal,
    )
    warnAboutModel(renderContext, format, { ...filled, injectionCount: request.injectionCount })
    return { spec, filled }
  } catch (error) {
    return { problem: `${format}: the language model could not help: ${modelWarning(error)}.` }
  }
}

function needsSchema(format: string): string {
  return `${format}: extraction without a schema needs a language model, and none is configured (MODEL_NOT_CONFIGURED). Send a schema, or set MODEL_URL, MODEL_KEY and MODEL_NAME.`
}

function warnAboutModel(
  { warn }: RenderContext,
  format: string,
  { dropped, share, injectionCount }: FillResult & { injectionCount: number },
): void {
  warnAboutInjection(format, injectionCount, { warn })
  if (dropped.length > 0)
    warn(
      `${format}: the language model gave values that the page does not state; left out: ${named(dropped)}.`,
    )
  if (share < 1)
    warn(`${format}: the page is long; the language model read the first ${Math.round(share * 100)} % of it.`)
}
