import { defineCause } from '../cause.ts'
import { optionOf, speaksOf, warnsOf } from '../support-case.ts'

export const schemaNotFilled = defineCause({
  name: 'schema-not-filled',
  find(facts) {
    const isMissing = warnsOf(facts, /json: (not found|nothing that was asked|the schema requires)/)
    const asksForJson = /"json"/.test(JSON.stringify(optionOf(facts, 'formats') ?? ''))
    if (!isMissing && !(asksForJson && speaksOf(facts, /schema|field|json|extract|null|empty/i)))
      return undefined
    const model = facts.capabilities.find(({ name }) => name === 'language model')
    const told = /json: not found on the page, and left out: ([^.]+)\./.exec(
      facts.document?.warning ?? '',
    )?.[1]
    return {
      sureness: isMissing ? 0.9 : 0.5,
      diagnosis: `The page does not state ${told === undefined ? 'all fields of the schema' : told.slice(0, 200)} where rules can read it, and nothing is made up for them.`,
      advice: model?.available
        ? 'Describe the fields with the words that the page uses, or check that the page shows them.'
        : 'Describe the fields with the words that the page uses; a language model (MODEL_URL) reads what rules cannot.',
      fixes: [{ waitFor: 3000 }, { waitFor: 8000 }],
    }
  },
})
