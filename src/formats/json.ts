import { z } from 'zod'
import { anyJson, text } from '../base/bounded.ts'
import { JsonText } from '../base/json-text.ts'
import type { PageParts } from '../page-data/parts.ts'
import type { Evidence } from '../reading/read-json.ts'
import { readSchema } from '../reading/schema/read-schema.ts'
import { type Filled, fillFields, merge, modelTrouble } from './fill-fields.ts'
import { defineFormat, type RenderKit } from './format.ts'
import { tellOfOrders } from './passages/quote-passages.ts'
import { wishForPrompt } from './wish-for-prompt.ts'

const evidence = z.object({
  text: z.string().describe('What the page says there.'),
  reader: z.string().describe('How it was read: json-ld, microdata, label, table, records and so on.'),
  selector: z.string().optional().describe('The element in which the text stands, as a CSS selector.'),
  property: z.string().optional().describe('The property in structured data or metadata.'),
})

const needsSchema =
  'json: extraction without a schema needs a language model, and none is configured (MODEL_NOT_CONFIGURED). Send a schema, or set MODEL_URL, MODEL_KEY and MODEL_NAME.'
const nothing = 'json: nothing that was asked for was found on the page.'

export const json = defineFormat({
  name: 'json',
  description:
    'Values of the page by a JSON schema, each with its evidence. What the page does not say is left out.',
  needs: 'page',
  usesModel: true,
  surcharge: 4,
  options: {
    schema: anyJson('MAX_SCHEMA_BYTES')
      .refine(
        (schema) => (schema ?? undefined) === undefined || isSchema(schema),
        'is a JSON schema: an object',
      )
      .refine((schema) => !isOpen(schema), 'names no properties. Name those that shall be read.')
      .nullish()
      .describe('JSON schema of the values.'),
    prompt: text('MAX_PROMPT_LENGTH')
      .nullish()
      .describe('What is wanted, in words. Read by a language model only.'),
    checkPromptInjection: z
      .boolean()
      .nullish()
      .describe('Accepted: instructions on a page never change what is read, whatever this says.'),
  },
  // Of a schema that says nothing only words can tell what is wanted.
  check: ({ schema, prompt }) =>
    isSchema(schema) && saysNothing(schema) && !prompt
      ? { option: 'schema', problem: emptySchema }
      : undefined,
  output: {
    json: z.unknown().describe('The values, in the shape of the schema.'),
    jsonEvidence: z
      .record(z.string(), evidence)
      .describe('Where each value comes from, by its path: `offers.price`, `items[0].name`.'),
  },
  reads: ({ schema }) => ({ json: { schema: schema ?? {} } }),
  async render(content, options, kit) {
    // Clients send null for what their caller did not give.
    const prompt = options.prompt ?? undefined
    const schema = isSchema(options.schema) && !saysNothing(options.schema) ? options.schema : undefined
    if (schema === undefined)
      return prompt === undefined ? { unavailable: needsSchema } : byPrompt(content, prompt, kit)
    const read = content.json()
    const filled =
      read.missing.length > 0 && kit.model ? await byModel(content, { schema, prompt }, kit) : undefined
    const missing = filled?.missing ?? read.missing
    if (read.value === undefined && !hasValues(filled)) return { unavailable: nothing }
    tell(kit, { ...read, missing })
    return {
      json: await joined(read.value, filled?.value),
      jsonEvidence: await joinedEvidence(read.evidence, filled?.evidence),
    }
  },
})

/** What rules did not find, by the model. */
async function byModel(
  content: PageParts,
  { schema, prompt }: { schema: unknown; prompt: string | undefined },
  kit: RenderKit,
): Promise<Filled | undefined> {
  const { wish } = readSchema(schema)
  const { missing, text: shown, context, orders } = content.json()
  if (wish.kind !== 'object' || !kit.model) return undefined
  try {
    const filled = await fillFields(kit.model, { wish, missing, prompt, text: shown, context }, kit.signal)
    tellOfModel(kit, { ...filled, orders })
    return filled
  } catch (thrown) {
    kit.warn(`json: the language model could not help: ${modelTrouble(thrown)}`)
    return undefined
  }
}

/** Without a schema: the model says which fields the words ask for, and fills them. */
async function byPrompt(content: PageParts, prompt: string, kit: RenderKit) {
  if (!kit.model) return { unavailable: needsSchema }
  const { text: shown, context, orders } = content.json()
  try {
    const wish = await wishForPrompt(kit.model, prompt, kit.signal)
    const missing = [...wish.fields.keys()]
    const filled = await fillFields(kit.model, { wish, missing, prompt, text: shown, context }, kit.signal)
    tellOfModel(kit, { ...filled, orders })
    if (!hasValues(filled)) return { unavailable: nothing }
    tell(kit, { missing: filled.missing, missingRequired: [], ignored: [] })
    return { json: filled.value, jsonEvidence: filled.evidence }
  } catch (thrown) {
    return { unavailable: `json: the language model could not help: ${modelTrouble(thrown)}` }
  }
}

function tell(
  { warn }: RenderKit,
  { missing, missingRequired, ignored }: { missing: string[]; missingRequired: string[]; ignored: string[] },
): void {
  const required = missingRequired.filter(
    (path) => missing.includes(path) || missing.some((other) => other.startsWith(`${path}.`)),
  )
  if (missing.length > 0) warn(`json: not found on the page, and left out: ${named(missing)}.`)
  if (required.length > 0) warn(`json: the schema requires ${named(required)}.`)
  if (ignored.length > 0) warn(`json: the schema is too deep or too wide; not read: ${named(ignored)}.`)
}

function tellOfModel({ warn }: RenderKit, { dropped, share, orders }: Filled & { orders: number }): void {
  tellOfOrders('json', orders, { warn })
  if (dropped.length > 0)
    warn(`json: the language model gave values that the page does not state; left out: ${named(dropped)}.`)
  if (share < 1)
    warn(`json: the page is long; the language model read the first ${Math.round(share * 100)} % of it.`)
}

const hasValues = (filled: Filled | undefined) => filled !== undefined && Object.keys(filled.value).length > 0

/** What was read stands before what the model adds. */
async function joined(read: unknown, added: Record<string, unknown> | undefined): Promise<unknown> {
  if (!added || Object.keys(added).length === 0) return read
  const value = read instanceof JsonText ? await read.value() : (read ?? {})
  if (isSchema(value)) merge(value, added)
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

const mostNamed = 30

function named(paths: readonly string[]): string {
  const more = paths.length - mostNamed
  return paths.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function isSchema(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

const emptySchema =
  'names no properties. Name those that shall be read; of a Zod 4 schema, clients that know Zod 3 send nothing: give them z.toJSONSchema(schema).'
const besideValues = new Set(['$schema', '$id', '$comment', 'title', 'description'])

function saysNothing(schema: Record<string, unknown>): boolean {
  return Object.keys(schema).every((key) => besideValues.has(key))
}

/** An object of anything: it says nothing about what is wanted. */
function isOpen(given: unknown): boolean {
  if (!isSchema(given) || given.type !== 'object') return false
  const { properties } = given
  const isNamed = isSchema(properties) && Object.keys(properties).length > 0
  return !isNamed && given.additionalProperties === true
}
