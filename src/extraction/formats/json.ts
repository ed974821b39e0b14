import { z } from 'zod'
import { JsonText } from '../../platform/json/json.ts'
import type { PageParts } from '../page-parts/parts.ts'
import { isObject } from '../schema/field-spec.ts'
import { defineFormat, type RenderContext } from './format.ts'
import { askByPrompt, askForMissing, type FillResult, merge } from './values/ask-model.ts'
import {
  checkSchema,
  givenSchema,
  promptOption,
  schemaOption,
  valuesResponse,
  warnMissingFields,
} from './values/options.ts'

const nothingFound = 'json: nothing that was asked for was found on the page.'

export const json = defineFormat({
  name: 'json',
  description:
    'Values of the page for a JSON schema, each with its evidence. Values that the page does not contain are omitted.',
  readsFrom: 'page',
  usesModel: true,
  surcharge: 4,
  options: {
    schema: schemaOption().describe('JSON schema of the values.'),
    prompt: promptOption().describe(
      'Description of the values in natural language. Only a language model uses it.',
    ),
    checkPromptInjection: z
      .boolean()
      .nullish()
      .describe('Accepted without effect: instructions on a page never change the values.'),
  },
  check: checkSchema,
  output: valuesResponse,
  reads: ({ schema }) => ({ json: { schema: schema ?? {} } }),
  async render(content, options, renderContext) {
    const prompt = options.prompt ?? undefined
    const schema = givenSchema(options.schema)
    if (schema === undefined)
      return prompt === undefined
        ? { unavailable: 'json: nothing is asked for. Send a schema, or a prompt.' }
        : extractByPrompt(content, prompt, renderContext)
    const pageResult = content.json()
    const filled = await askForMissing(renderContext, { ...pageResult, format: 'json', prompt })
    if (pageResult.value === undefined && !hasValues(filled)) return { unavailable: nothingFound }
    const missing = filled?.missing ?? pageResult.missing
    warnMissingFields(renderContext, 'json', { ...pageResult, missing })
    return {
      json: await mergeInto(pageResult.value ?? {}, filled?.value),
      jsonEvidence: await mergeInto(pageResult.evidence, filled?.evidence),
    }
  },
})

async function extractByPrompt(content: PageParts, prompt: string, renderContext: RenderContext) {
  const result = await askByPrompt(renderContext, { ...content.json(), format: 'json', prompt })
  if ('problem' in result) return { unavailable: result.problem }
  const { filled } = result
  if (!hasValues(filled)) return { unavailable: nothingFound }
  warnMissingFields(renderContext, 'json', { missing: filled.missing })
  return { json: filled.value, jsonEvidence: filled.evidence }
}

const hasValues = (filled: FillResult | undefined) =>
  filled !== undefined && Object.keys(filled.value).length > 0

/** Extracted values take precedence. */
async function mergeInto<Value>(extracted: Value | JsonText, added: Record<string, unknown> | undefined) {
  if (!added || Object.keys(added).length === 0) return extracted
  // The JSON text was serialized from such a value.
  const value = extracted instanceof JsonText ? ((await extracted.value()) as Value) : extracted
  if (isObject(value)) merge(value, added)
  return value
}
