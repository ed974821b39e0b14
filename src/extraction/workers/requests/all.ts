import { type BoundName, bounds } from '../../../platform/bounds.ts'
import { AppError } from '../../../platform/errors.ts'
import { costsOf } from '../../page-parts/parts.ts'
import type { AnalyzedSchema, WorkerRequest } from '../messages.ts'

type RequestOf<Kind> = Extract<WorkerRequest, { kind: Kind }>

export interface RequestKind<Request> {
  bound: BoundName
  tooLong(limit: Limit, request: WorkerRequest): AppError
  /** Loads the code on first use, in the thread, and returns the reply. */
  run(request: Request, afterReply: (work: () => void) => void): Promise<unknown>
}

interface Limit {
  details: { bound: BoundName; most: number }
  /** For messages: `longer than 30 seconds (MAX_READ_SECONDS)`. */
  text: string
}

export const requestKinds: { [Kind in WorkerRequest['kind']]: RequestKind<RequestOf<Kind>> } = {
  read: {
    ...{ bound: 'MAX_READ_SECONDS', tooLong: readTooLong },
    run: async (request, afterReply) => (await import('./read.ts')).read(request, afterReply),
  },
  compare: {
    ...{ bound: 'MAX_READ_SECONDS', tooLong: readTooLong },
    run: async (request) => (await import('./compare.ts')).compare(request),
  },
  export: {
    ...{ bound: 'MAX_READ_SECONDS', tooLong: readTooLong },
    async run({ document, form }) {
      const { exportDocument } = await import('../../page-parts/export-document.ts')
      return exportDocument(document, form)
    },
  },
  schema: {
    ...{ bound: 'MAX_SCHEMA_SECONDS', tooLong: optionTooLong('schema', 'Send a smaller one.') },
    async run({ schema }): Promise<AnalyzedSchema> {
      const { isEmptySchema, wordsOf } = await import('../../schema/field-spec.ts')
      const { readSchema } = await import('../../schema/read-schema.ts')
      const { spec, ignored } = readSchema(schema)
      return { spec, ignored, words: wordsOf(spec), isEmpty: isEmptySchema(spec) }
    },
  },
  selectors: {
    ...{ bound: 'MAX_SELECTORS_SECONDS', tooLong: selectorsTooLong },
    run: async ({ selectors }) => (await import('../../../content/select.ts')).findInvalidSelector(selectors),
  },
  prompt: {
    ...{ bound: 'MAX_PROMPT_SECONDS', tooLong: optionTooLong('prompt', 'Send a shorter one, or options.') },
    run: async ({ prompt, paths }) =>
      (await import('../../page-parts/crawl-prompt.ts')).readPrompt(prompt, paths),
  },
  answer: {
    ...{ bound: 'MAX_MODEL_ANSWER_SECONDS', tooLong: answerTooLong },
    run: async ({ answer }) =>
      (await import('../../../platform/check-answer-text.ts')).checkAnswerText(answer),
  },
  ground: {
    ...{ bound: 'MAX_MODEL_ANSWER_SECONDS', tooLong: answerTooLong },
    run: async ({ claims }) => (await import('../../grounding/ground.ts')).ground(claims),
  },
  'stored-page': {
    ...{ bound: 'MAX_READ_SECONDS', tooLong: readTooLong },
    async run({ document, url }) {
      const { readStoredPage } = await import('../../merge/stored-page.ts')
      return readStoredPage(new TextDecoder().decode(document), url)
    },
  },
  merge: {
    ...{ bound: 'MAX_MERGE_SECONDS', tooLong: mergeTooLong },
    async run({ schema, pages }) {
      const { mergePages } = await import('../../merge/merge-pages.ts')
      const { parseValues } = await import('../../merge/stored-page.ts')
      const { readSchema } = await import('../../schema/read-schema.ts')
      return mergePages(readSchema(schema).spec, pages.map(parseValues))
    },
  },
}

export function tooLongError(request: WorkerRequest): AppError {
  const { bound, tooLong } = requestKinds[request.kind]
  const { most } = bounds[bound]
  return tooLong({ details: { bound, most }, text: `longer than ${most} seconds (${bound})` }, request)
}

function readTooLong({ details, text }: Limit, request: WorkerRequest): AppError {
  const optionNames = request.kind === 'read' ? optionsOf(request) : []
  const advice =
    optionNames.length === 0
      ? 'Ask for fewer formats.'
      : `Make ${optionNames.join(', ')} simpler, or ask for less.`
  const message = `Reading the page took ${text}. ${advice}`
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'render', ...details }, { message })
}

function optionsOf({ options, requestedParts }: RequestOf<'read'>): string[] {
  const selectors = (['includeTags', 'excludeTags'] as const).filter((name) => options[name].length > 0)
  return [...selectors, ...costsOf(requestedParts)]
}

function optionTooLong(option: string, advice: string): (limit: Limit) => AppError {
  return (limit) => {
    const message = `Reading the ${option} took ${limit.text}. ${advice}`
    const details = [{ code: 'custom', path: [option], message }]
    return new AppError('BAD_REQUEST', { ...limit.details, details }, { message })
  }
}

function selectorsTooLong({ details, text }: Limit): AppError {
  const message = `Reading the CSS selectors took ${text}. Send fewer or simpler ones.`
  return new AppError('BAD_REQUEST', details, { message })
}

function mergeTooLong({ details, text }: Limit): AppError {
  const message = `Joining the values of the pages took ${text}. Read fewer pages, or ask for fewer fields.`
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'merge', ...details }, { message })
}

function answerTooLong({ details, text }: Limit): AppError {
  return new AppError('MODEL_FAILED', {
    ...{ phase: 'model', ...details, reason: `checking its answer took ${text}` },
    hint: 'Ask for fewer fields, or for a smaller part of the page.',
  })
}
