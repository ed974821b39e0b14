import type { PageContext } from '../../fields/extracted-value.ts'
import type { FieldSpec, ObjectSpec } from '../../schema/field-spec.ts'
import { type Filled, fillFields } from '../fill-fields.ts'
import type { RenderContext } from '../format.ts'
import { modelWarning } from '../model-warning.ts'
import { warnAboutInjection } from '../passages/quote-passages.ts'
import { specForPrompt } from '../schema-for-prompt.ts'
import { named } from './options.ts'

/** What a format asks a language model about a page. */
interface ModelOrder {
  format: string
  prompt: string | undefined
  /** What the page shows, line by line. */
  text: string
  context: PageContext
  /** How many lines of the page gave orders to a model, and are not shown to it. */
  orders: number
}

/** What rules did not find, by the model; undefined where it could not help, with a warning. */
export async function askForMissing(
  kit: RenderContext,
  { format, ...order }: ModelOrder & { spec: FieldSpec; missing: readonly string[] },
): Promise<Filled | undefined> {
  const { spec } = order
  const { model, work } = kit
  if (spec.kind !== 'object' || !model || order.missing.length === 0) return undefined
  try {
    const filled = await fillFields({ model, work }, { ...order, spec }, kit.signal)
    tellOfModel(kit, format, { ...filled, orders: order.orders })
    return filled
  } catch (thrown) {
    kit.warn(`${format}: the language model could not help: ${modelWarning(thrown)}.`)
    return undefined
  }
}

/** Without a schema: the model says which fields the words ask for, and fills them. */
export async function askByPrompt(
  kit: RenderContext,
  { format, prompt, ...order }: ModelOrder & { prompt: string },
): Promise<{ spec: ObjectSpec; filled: Filled } | { problem: string }> {
  const { model, work } = kit
  if (!model) return { problem: needsSchema(format) }
  try {
    const spec = await specForPrompt({ model, work }, prompt, kit.signal)
    const missing = [...spec.fields.keys()]
    const filled = await fillFields({ model, work }, { ...order, prompt, spec, missing }, kit.signal)
    tellOfModel(kit, format, { ...filled, orders: order.orders })
    return { spec, filled }
  } catch (thrown) {
    return { problem: `${format}: the language model could not help: ${modelWarning(thrown)}.` }
  }
}

function needsSchema(format: string): string {
  return `${format}: extraction without a schema needs a language model, and none is configured (MODEL_NOT_CONFIGURED). Send a schema, or set MODEL_URL, MODEL_KEY and MODEL_NAME.`
}

function tellOfModel(
  { warn }: RenderContext,
  format: string,
  { dropped, share, orders }: Filled & { orders: number },
): void {
  warnAboutInjection(format, orders, { warn })
  if (dropped.length > 0)
    warn(
      `${format}: the language model gave values that the page does not state; left out: ${named(dropped)}.`,
    )
  if (share < 1)
    warn(`${format}: the page is long; the language model read the first ${Math.round(share * 100)} % of it.`)
}
