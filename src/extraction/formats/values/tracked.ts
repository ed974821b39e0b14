import { type ComparedValues, type Comparison, writeValues } from '../../../content/diff.ts'
import type { PageParts } from '../../page-parts/parts.ts'
import { fieldPaths, fieldValues } from '../../schema/field-spec.ts'
import type { RenderContext } from '../format.ts'
import { askByPrompt, askForMissing } from './ask-model.ts'
import { givenSchema, named, warnMissingFields } from './options.ts'

const format = 'changeTracking'

/** What this version of a page says of the fields, as it is kept and compared; undefined where nothing was read, with a warning. */
export async function valuesToTrack(
  content: PageParts,
  wanted: { schema?: unknown; prompt?: string | null | undefined },
  kit: RenderContext,
): Promise<string | Uint8Array | undefined> {
  const prompt = wanted.prompt ?? undefined
  const schema = givenSchema(wanted.schema)
  if (schema === undefined) return byPrompt(content, prompt, kit)
  const read = content.trackedValues()
  const filled = await askForMissing(kit, { ...read, format, prompt })
  const added = fieldValues(read.spec, filled?.value)
  if (prompt !== undefined && !kit.model)
    kit.warn(`${format}: prompt has no effect, because no language model is configured.`)
  warnMissingFields(kit, format, {
    missing: filled?.missing ?? read.missing,
    missingRequired: [],
    ignored: read.ignored,
  })
  if (read.count + added.length === 0) kit.waive()
  return writeValues({ fields: read.fields, values: read.values, added: Object.fromEntries(added) })
}

/** The model says which fields the words mean: not always the same ones, so versions may have few in common. */
async function byPrompt(
  content: PageParts,
  prompt: string | undefined,
  kit: RenderContext,
): Promise<string | Uint8Array | undefined> {
  if (prompt === undefined) {
    kit.warn(
      `${format}: mode json needs a schema, or a prompt and a language model; values are not compared.`,
    )
    return undefined
  }
  const { text, context, orders } = content.trackedValues()
  const asked = await askByPrompt(kit, { format, prompt, text, context, orders })
  if ('problem' in asked) {
    kit.warn(asked.problem)
    return undefined
  }
  const { spec, filled } = asked
  const added = fieldValues(spec, filled.value)
  warnMissingFields(kit, format, { missing: filled.missing, missingRequired: [], ignored: [] })
  if (added.length === 0) kit.waive()
  return writeValues({ fields: fieldPaths(spec), values: '{}', added: Object.fromEntries(added) })
}

/** Warnings for callers about a comparison of values. */
export function warnAboutComparison({ warn }: RenderContext, compared: Comparison): void {
  const { changeStatus, values } = compared
  if (changeStatus === 'new' || changeStatus === 'removed') return
  if (!values) {
    warn(`${format}: no values of an earlier version are kept; values are compared from this version on.`)
    return
  }
  tellOfFields(warn, values)
  if (values.previousAt !== compared.previousAt) {
    const at = new Date(values.previousAt).toISOString()
    warn(`${format}: the version before was tracked without values; values are compared with those of ${at}.`)
  }
}

function tellOfFields(
  warn: RenderContext['warn'],
  { lost, found, onlyBefore, onlyNow }: ComparedValues,
): void {
  if (lost.length > 0)
    warn(
      `${format}: had a value before and could not be read this time, which need not mean that the page took it away: ${named(lost)}.`,
    )
  if (found.length > 0)
    warn(`${format}: has a value now and could not be read in the earlier version: ${named(found)}.`)
  if (onlyBefore.length + onlyNow.length > 0)
    warn(
      `${format}: the earlier version was read with another schema; only fields that both have are compared, not: ${named([...onlyBefore, ...onlyNow])}.`,
    )
}
