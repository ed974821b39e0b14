import type { WorkerRequest } from '../messages.ts'
import type { RequestKind } from './request-kind.ts'
import {
  answerTooLong,
  mergeTooLong,
  promptTooLong,
  readTooLong,
  schemaTooLong,
  selectorsTooLong,
} from './too-long.ts'

/** Request kinds by name. Each kind has a module with its `run` function. */
export const requestKinds = {
  read: { bound: 'MAX_READ_SECONDS', tooLong: readTooLong, load: () => import('./read.ts') },
  compare: { bound: 'MAX_READ_SECONDS', tooLong: readTooLong, load: () => import('./compare.ts') },
  export: { bound: 'MAX_READ_SECONDS', tooLong: readTooLong, load: () => import('./export.ts') },
  schema: { bound: 'MAX_SCHEMA_SECONDS', tooLong: schemaTooLong, load: () => import('./schema.ts') },
  selectors: {
    bound: 'MAX_SELECTORS_SECONDS',
    tooLong: selectorsTooLong,
    load: () => import('./selectors.ts'),
  },
  prompt: { bound: 'MAX_PROMPT_SECONDS', tooLong: promptTooLong, load: () => import('./prompt.ts') },
  answer: { bound: 'MAX_MODEL_ANSWER_SECONDS', tooLong: answerTooLong, load: () => import('./answer.ts') },
  ground: { bound: 'MAX_MODEL_ANSWER_SECONDS', tooLong: answerTooLong, load: () => import('./ground.ts') },
  'stored-page': { bound: 'MAX_READ_SECONDS', tooLong: readTooLong, load: () => import('./stored-page.ts') },
  merge: { bound: 'MAX_MERGE_SECONDS', tooLong: mergeTooLong, load: () => import('./merge.ts') },
} satisfies Record<WorkerRequest['kind'], RequestKind>
