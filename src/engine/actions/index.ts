import type { Page } from 'playwright-core'
import { z } from 'zod'
import { beyond, list as bounded } from '../../base/bounded.ts'
import { bounds } from '../../base/bounds.ts'
import { capitalised } from '../../base/capitalised.ts'
import { AppError } from '../../base/errors.ts'
import { noTrace, type Trace } from '../../base/trace/trace.ts'
import type { ActionResults } from '../../content/captures.ts'
import type { Action, ActionKit } from './action.ts'
import * as all from './all.ts'
import { explainFailure } from './explain-failure.ts'

type All = typeof all

/** A member of the family as the code that walks it sees it: fields of its own shape, which its schema made. */
type AnyAction = Action<string, z.ZodRawShape>

// Each member has its own fields; the code that runs one passes what that member's own schema parsed.
const members = Object.values(all) as unknown as AnyAction[]

/** In one order, whatever order the list is loaded in: the API description must not depend on it. */
export const actions = members.sort((left, right) => (left.type < right.type ? -1 : 1))

/** The request of an action: its type and its fields, nothing else. */
function actionRequest<Type extends string, Fields extends z.ZodRawShape>(action: {
  type: Type
  description: string
  fields: Fields
}) {
  return z
    .strictObject({ type: z.literal(action.type), ...action.fields })
    .meta({ id: `${capitalised(action.type)}Action`, description: action.description })
}

type ObjectForm = {
  [Key in keyof All]: ReturnType<typeof actionRequest<All[Key]['type'], All[Key]['fields']>>
}[keyof All]

const one = z
  .discriminatedUnion(
    'type',
    // One member per action, which is the tuple that the union wants.
    actions.map((action) => actionRequest(action)) as unknown as [ObjectForm, ...ObjectForm[]],
    { error: `An action is an object whose type is one of ${actions.map(({ type }) => type).join(', ')}.` },
  )
  .meta({ id: 'Action' })

export type ActionRequest = z.output<typeof one>

const typeOfAlias = new Map(
  actions.flatMap(({ type, aliases = [] }) => aliases.map((alias) => [alias, type] as const)),
)

const named = z.preprocess((given) => {
  if (typeof given !== 'object' || given === null || !('type' in given)) return given
  const type = typeof given.type === 'string' ? typeOfAlias.get(given.type) : undefined
  return type === undefined ? given : { ...given, type }
}, one)

const mostWaiting = 60_000

export const actionList = bounded(named, 'MAX_ACTIONS').superRefine((list, context) => {
  const scripts = list.reduce((sum, action) => sum + ('script' in action ? action.script.length : 0), 0)
  if (scripts > bounds.MAX_SCRIPTS_LENGTH.most) return beyond('MAX_SCRIPTS_LENGTH', context)
  list.forEach(({ type, ...fields }, index) => {
    const message = actionOf(type).problemOf?.(fields)
    if (message !== undefined) context.addIssue({ code: 'custom', path: [index], message })
  })
})

function actionOf(type: ActionRequest['type']): AnyAction {
  const found = actions.find((action) => action.type === type)
  if (!found) throw new Error(`No such action: ${type}`)
  return found
}

/** How long the waits of a list take together. */
export function waitingTime(list: ActionRequest[]): number {
  return list.reduce((sum, { type, ...fields }) => sum + (actionOf(type).waitingTime?.(fields) ?? 0), 0)
}

/** Those that have to be done again to have a page as it was. */
export function repeatedOf(list: ActionRequest[]): ActionRequest[] {
  return list.filter(({ type }) => actionOf(type).isRepeated)
}

export function waitsTooLong(waitFor: number, list: ActionRequest[]): boolean {
  return waitFor + waitingTime(list) > mostWaiting
}

export interface RunOptions {
  remaining: () => number
  signal: AbortSignal
  /** Hears what the caller should know. */
  warnings?: string[]
  /** Where pages take turns: runs what only waits. */
  whileWaiting?: ActionKit['whileWaiting']
  trace?: Trace
}

/** Runs actions in order. The first that fails ends the call, with its place in the list. */
export async function runActions(
  page: Page,
  list: ActionRequest[],
  options: RunOptions,
): Promise<ActionResults> {
  const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] }
  const { signal, warnings = [], whileWaiting = (wait) => wait(), trace = noTrace } = options
  for (const [index, { type, ...fields }] of list.entries()) {
    signal.throwIfAborted()
    const action = actionOf(type)
    const timeoutMs = timeFor(options.remaining())
    const began = performance.now()
    const note = (result: 'done' | 'failed') =>
      trace.note({ step: 'action', index, type, ms: Math.round(performance.now() - began), result })
    try {
      await action.run(page, fields, { results, warnings, timeoutMs, signal, whileWaiting })
      note('done')
    } catch (thrown) {
      note('failed')
      if (signal.aborted || isOfItsOwn(thrown)) throw thrown
      const mostMs = timeToExplain(options.remaining())
      throw await failed(page, { index, type, selector: selectorOf(fields), mostMs }, thrown)
    }
    if (!isOfTheWeb(page)) throw await failed(page, { index, type, mostMs: 0 }, new Error(ledAway))
  }
  return results
}

/** A page that is too large is so whatever was done on it. */
function isOfItsOwn(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'SCRAPE_PAGE_TOO_LARGE'
}

/** An action that waits in vain ends before the whole call does, so that the error can name it. */
function timeFor(remaining: number): number {
  return Math.max(1, Math.min(15_000, Math.round(remaining - Math.min(3000, remaining / 3))))
}

/** Half of what an action leaves: the other half is for the answer. */
function timeToExplain(remaining: number): number {
  return Math.max(1, Math.min(2000, Math.round(remaining / 2)))
}

const selectorOf = (fields: object) =>
  'selector' in fields && typeof fields.selector === 'string' ? fields.selector : undefined

/** An action may have led the page to another place. */
function isOfTheWeb(page: Page): boolean {
  return /^(https?:|about:blank)/.test(page.url())
}

const ledAway = 'it led to a URL that is neither http nor https'

interface FailedAction {
  index: number
  type: string
  selector?: string | undefined
  mostMs: number
}

async function failed(
  page: Page,
  { index, type, selector, mostMs }: FailedAction,
  thrown: unknown,
): Promise<AppError> {
  const { reason, found } = await explainFailure(page, { thrown, selector, mostMs })
  const target = selector === undefined ? '' : ` ${selector.slice(0, longestShown)}`
  return new AppError(
    'SCRAPE_ACTION_ERROR',
    {
      phase: 'actions',
      details: {
        ...{ index, type, reason },
        ...(selector === undefined ? {} : { selector }),
        ...(found ? { found } : {}),
      },
    },
    { message: `Action ${index} (${type}${target}) failed: ${reason}`, cause: thrown },
  )
}

/** Of a selector in a message; the details have it whole. */
const longestShown = 200
