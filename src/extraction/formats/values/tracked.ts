import { type Comparison, writeValues } from '../../../content/diff.ts'
import type { PageParts } from '../../page-parts/parts.ts'
import { fieldPaths, fieldValues } from '../../schema/field-spec.ts'
import type { RenderContext } from '../format.ts'
import { askByPrompt, askForMissing } from './ask-model.ts'
import { givenSchema, named, type ValueOptions, warnMissingFields } from './options.ts'

const format = 'changeTracking'

export async function valuesToTrack(
  content: PageParts,
  options: ValueOptions,
  renderContext: RenderContext,
): Promise<string | Uint8Array | undefined> {
  const prompt = options.prompt ?? undefined
  const schema = givenSchema(options.schema)
  if (schema === undefined) return byPrompt(content, prompt, renderContext)
  const trackedResult = content.trackedValues()
  const filled = await askForMissing(renderContext, { ...trackedResult, format, prompt })
  const added = fieldValues(trackedResult.spec, filled?.value)
  if (prompt !== undefined && !renderContext.model)
    renderContext.warn(`${format}: prompt has no effect, because no language model is configured.`)
  const { fields, values, missing, ignored } = trackedResult
  warnMissingFields(renderContext, format, { missing: filled?.missing ?? missing, ignored })
  if (trackedResult.count + added.length === 0) renderContext.waive()
  return writeValues({ fields, values, added: Object.fromEntries(added) })
}

/** The model may derive different fields each time, so versions may share few fields. */
async function byPrompt(
  content: PageParts,
  prompt: string | undefined,
  renderContext: RenderContext,
): Promise<string | Uint8Array | undefined> {
  if (prompt === undefined) {
    renderContext.warn(
      `${format}: mode json needs a schema, or a prompt and a language model; values are not compared.`,
    )
    return undefined
  }
  const result = await askByPrompt(renderContext, { ...content.trackedValues(), format, prompt })
  if ('problem' in result) {
    renderContext.warn(result.problem)
    return undefined
  }
  const { spec, filled } = result
  const added = fieldValues(spec, filled.value)
  warnMissingFields(renderContext, format, { missing: filled.missing })
  if (added.length === 0) renderContext.waive()
  return writeValues({ fields: fieldPaths(spec), values: '{}', added: Object.fromEntries(added) })
}

export function warnAboutComparison({ warn }: RenderContext, compared: Comparison): void {
  const { changeStatus, values } = compared
  if (changeStatus === 'new' || changeStatus === 'removed') return
  if (!values) {
    warn(`${format}: no values of an earlier version are kept; values are compared from this version on.`)
    return
  }
  const { lost, found, onlyBefore, onlyNow } = values
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
  if (values.previousAt !== compared.previousAt) {
    const date = new Date(values.previousAt).toISOString()
    warn(
      `${format}: the version before was tracked without values; values are compared with those of ${date}.`,
    )
  }
}
