import { defineCause } from '../cause.ts'
import { failedWith, speaksOf, warnsOf } from '../support-case.ts'

export const modelNotConfigured = defineCause({
  name: 'model-not-configured',
  find(facts) {
    const model = facts.capabilities.find(({ name }) => name === 'language model')
    const isMet =
      failedWith(facts, 'MODEL_NOT_CONFIGURED') !== undefined ||
      warnsOf(facts, /MODEL_NOT_CONFIGURED|needs a language model/)
    const isAsked =
      speaksOf(facts, /MODEL_NOT_CONFIGURED|language model|\bllm\b|MODEL_URL|\bprompt\b/i) &&
      model?.available === false
    // Of a job that went well, a call after it was refused because something is not set up.
    const isRefused =
      model?.available === false && facts.job?.error === null && speaksOf(facts, /\b503\b|not configured/i)
    if (!isMet && !isAsked && !isRefused) return undefined
    return {
      sureness: isMet ? 0.96 : 0.75,
      diagnosis: 'What was asked for needs a language model, and none works on this installation.',
      advice:
        'The operator sets MODEL_URL, MODEL_KEY and MODEL_NAME (docs/models.md); without a model, json works with a schema, and summary, question and highlights quote the page.',
    }
  },
})
