import { defineFormat } from './format.ts'
import {
  checkSchema,
  promptOption,
  schemaOption,
  valuesResponse,
  warnMissingFields,
} from './values/options.ts'

const name = 'deterministicJson'

export const deterministicJson = defineFormat({
  name,
  description:
    'Values of the page for a JSON schema, read by rules without a language model, so the same page gives the same values.',
  readsFrom: 'page',
  // Price that comparable services charge for rerunning a generated script.
  surcharge: 2,
  excludes: ['json'],
  options: {
    schema: schemaOption().describe('JSON schema of the values. Required.'),
    prompt: promptOption().describe(
      'No effect: only a language model uses text instructions, see the format json.',
    ),
  },
  check: ({ schema, prompt }) =>
    (schema ?? undefined) === undefined
      ? { option: (prompt ?? undefined) === undefined ? 'schema' : 'prompt', problem: needsSchema }
      : checkSchema({ schema }),
  example: { schema: { type: 'object', properties: { title: { type: 'string' } } } },
  output: valuesResponse,
  reads: ({ schema }) => ({ json: { schema } }),
  render(content, { prompt }, { warn }) {
    const result = content.json()
    if (prompt) warn(`${name}: prompt has no effect, because no language model is asked.`)
    if (result.value === undefined)
      return { unavailable: `${name}: nothing that was asked for was found on the page.` }
    warnMissingFields({ warn }, name, result)
    return { json: result.value, jsonEvidence: result.evidence }
  },
})

const needsSchema =
  'deterministicJson needs a schema: it asks no language model, and rules cannot read a prompt. Send a schema, or use the format json.'
