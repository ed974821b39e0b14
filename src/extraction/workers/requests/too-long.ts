import { bounds } from '../../../platform/bounds.ts'
import { AppError } from '../../../platform/errors.ts'
import { costsOf } from '../../page-parts/parts.ts'
import type { WorkerRequest } from '../messages.ts'

export function readTooLong(request: WorkerRequest): AppError {
  const [bound, { most }] = ['MAX_READ_SECONDS', bounds.MAX_READ_SECONDS] as const
  const optionNames = request.kind === 'read' ? optionsOf(request) : []
  const advice =
    optionNames.length === 0
      ? 'Ask for fewer formats.'
      : `Make ${optionNames.join(', ')} simpler, or ask for less.`
  const message = `Reading the page took longer than ${most} seconds (${bound}). ${advice}`
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'render', bound, most }, { message })
}

function optionsOf({ options, requestedParts }: Extract<WorkerRequest, { kind: 'read' }>): string[] {
  const selectors = (['includeTags', 'excludeTags'] as const).filter((name) => options[name].length > 0)
  return [...selectors, ...costsOf(requestedParts)]
}

export function schemaTooLong(): AppError {
  const [bound, { most }] = ['MAX_SCHEMA_SECONDS', bounds.MAX_SCHEMA_SECONDS] as const
  const message = `Reading the schema took longer than ${most} seconds (${bound}). Send a smaller one.`
  const details = [{ code: 'custom', path: ['schema'], message }]
  return new AppError('BAD_REQUEST', { bound, most, details }, { message })
}

export function selectorsTooLong(): AppError {
  const [bound, { most }] = ['MAX_SELECTORS_SECONDS', bounds.MAX_SELECTORS_SECONDS] as const
  const message = `Reading the CSS selectors took longer than ${most} seconds (${bound}). Send fewer or simpler ones.`
  return new AppError('BAD_REQUEST', { bound, most }, { message })
}

export function promptTooLong(): AppError {
  const [bound, { most }] = ['MAX_PROMPT_SECONDS', bounds.MAX_PROMPT_SECONDS] as const
  const message = `Reading the prompt took longer than ${most} seconds (${bound}). Send a shorter one, or options.`
  const details = [{ code: 'custom', path: ['prompt'], message }]
  return new AppError('BAD_REQUEST', { bound, most, details }, { message })
}

export function mergeTooLong(): AppError {
  const [bound, { most }] = ['MAX_MERGE_SECONDS', bounds.MAX_MERGE_SECONDS] as const
  const message = `Joining the values of the pages took longer than ${most} seconds (${bound}). Read fewer pages, or ask for fewer fields.`
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'merge', bound, most }, { message })
}

export function answerTooLong(): AppError {
  const [bound, { most }] = ['MAX_MODEL_ANSWER_SECONDS', bounds.MAX_MODEL_ANSWER_SECONDS] as const
  return new AppError('MODEL_FAILED', {
    ...{ phase: 'model', bound, most },
    reason: `checking its answer took longer than ${most} seconds (${bound})`,
    hint: 'Ask for fewer fields, or for a smaller part of the page.',
  })
}
