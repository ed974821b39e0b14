import { z } from 'zod'
import { JsonText } from '../../platform/json/json.ts'
import type { PageParts } from '../page-parts/parts.ts'
import type { Evidence } from '../read-json.ts'
import { isObject } from '../schema/field-spec.ts'
import { type Filled, merge } from './fill-fields.ts'
import { defineFormat, type RenderContext } from './format.ts'
import { askByPrompt, askForMissing } from './values/ask-model.ts'
import {
  checkSchema,
  givenSchema,
  promptOption,
  schemaOption,
  valuesResponse,
  warnMissingFields,
} from './values/options.ts'

const nothing = 'json: nothing that was asked for was found on the page.'

export const json = defineFormat({
  name: 'json',
  description:
    'Values of the page by a JSON schema, each with its evidence. What the page does not say is left out.',
  readsFrom: 'page',
  usesModel: true,
  surcharge: 4,
  options: {
    schema: schemaOption().describe('JSON schema of the values.'),
    prompt: promptOption().describe('What is wanted, in words. Read by a language model only.'),
    checkPromptInjection: z
      .boolean()
      .nullish()
      .describe('Accepted: instructions on a page never change what is read, whatever this says.'),
  },
  check: checkSchema,
  output: valuesResponse,
  reads: ({ schema }) => ({ json: { schema: schema ?? {} } }),
  async render(content, options, kit) {
    const prompt = options.prompt ?? undefined
    const schema = givenSchema(options.schema)
    if (schema === undefined)
      return prompt === undefined
        ? { unavailable: 'json: nothing is asked for. Send a schema, or a prompt.' }
        : byPrompt(content, prompt, kit)
    const read = content.json()
    const filled = await askForMissing(kit, { ...read, format: 'json', prompt })
    if (read.value === undefined && !hasValues(filled)) return { unavailable: nothing }
    warnMissingFields(kit, 'json', { ...read, missing: filled?.missing ?? read.missing })
    return {
      json: await joined(read.value, filled?.value),
      jsonEvidence: await joinedEvidence(read.evidence, filled?.evidence),
    }
  },
})

async function byPrompt(content: PageParts, prompt: string, kit: RenderContext) {
  const { text, context, orders } = content.json()
  const asked = await askByPrompt(kit, { format: 'json', prompt, text, context, orders })
  if ('problem' in asked) return { unavailable: asked.problem }
  const { filled } = asked
  if (!hasValues(filled)) return { unavailable: nothing }
  warnMissingFields(kit, 'json', { missing: filled.missing, missingRequired: [], ignored: [] })
  return { json: filled.value, jsonEvidence: filled.evidence }
}

const hasValues = (filled: Filled | undefined) => filled !== undefined && Object.keys(filled.value).length > 0

/** What was read stands before what the model adds. */
async function joined(read: unknown, added: Record<string, unknown> | undefined): Promise<unknown> {
  if (!added || Object.keys(added).length === 0) return read
  const value = read instanceof JsonText ? await read.value() : (read ?? {})
  if (isObject(value)) merge(value, added)
  return value
}

async function joinedEvidence(
  read: Record<string, Evidence> | JsonText,
  added: Record<string, Evidence> | undefined,
): Promise<Record<string, Evidence> | JsonText> {
  if (!added || Object.keys(added).length === 0) return read
  // It was written from such a record.
  const known = read instanceof JsonText ? ((await read.value()) as Record<string, Evidence>) : read
  return { ...known, ...added }
}
