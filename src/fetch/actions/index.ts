import type { Page } from 'playwright-core'
import { z } from 'zod'
import { evaluateInIsolatedWorld } from '../../browser/page-script.ts'
import type { ActionResults } from '../../content/page.ts'
import { addBoundIssue, boundedList as bounded } from '../../platform/bounded.ts'
import { bounds } from '../../platform/bounds.ts'
import type { Deadline } from '../../platform/deadline.ts'
import { AppError } from '../../platform/errors.ts'
import { untilAborted } from '../../platform/functions.ts'
import { stripInternalAddresses } from '../../platform/safe-errors.ts'
import { capitalised } from '../../platform/text.ts'
import { noTrace, type Trace } from '../../platform/trace/trace.ts'
import type { Action, ActionContext } from './action.ts'
import * as all from './all.ts'

async function inspectPage(page: Page, selector: string, maxMs: number) {
  const inspect = async () => ({
    matches: await page.locator(selector).count(),
    ...(await evaluateInIsolatedWorld(page, listInteractiveElements, maxElements)),
  })
  // Fails if the page navigates away or the selector is invalid; the failure reason already covers both.
  return untilAborted(inspect(), AbortSignal.timeout(maxMs)).catch(() => undefined)
}

const maxElements = 8

/** Runs in the page. */
function listInteractiveElements(maxCount: number): { title: string; elements: string[] } {
  const candidates = document.querySelectorAll('button, a[href], input, select, textarea, [role="button"]')
  const elements: string[] = []
  for (const element of Array.from(candidates).slice(0, 200)) {
    if (elements.length >= maxCount) break
    if (!element.checkVisibility()) continue
    const classes = Array.from(element.classList).slice(0, 2)
    const id = element.id === '' ? classes.map((name) => `.${name}`).join('') : `#${element.id}`
    const text = (element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 30)
    const name = `${element.localName}${id}`.slice(0, 80)
    elements.push(text === '' ? name : `${name} "${text}"`)
  }
  return { title: document.title.slice(0, 100), elements }
}

async function explainFailure(
  page: Page,
  { thrown, selector, maxMs }: { thrown: unknown; selector: string | undefined; maxMs: number },
) {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  // Driver messages continue with a call log; the first line contains the reason.
  const firstLine = stripInternalAddresses(message.split('\n')[0] ?? '')
  const found = selector === undefined ? undefined : await inspectPage(page, selector, maxMs)
  if (!found) return { reason: firstLine }
  if (found.matches > 0) {
    const obstacle = obstacles.find((phrase) => message.includes(phrase))
    const state = obstacle === obstacles[0] ? 'covered by another element' : obstacle
    const cause = state === undefined ? firstLine : `the first of them is ${state}`
    return { reason: `${found.matches} found, but ${cause}`, found }
  }
  const elementList = found.elements.length === 0 ? 'nothing to click or fill in' : found.elements.join(', ')
  return { reason: `no element matches; the page "${found.title}" has ${elementList}`, found }
}

const obstacles = [
  'intercepts pointer events',
  'not visible',
  'not enabled',
  'not stable',
  'outside of the viewport',
]

type AnyAction = Action<string, z.ZodRawShape>

// Each action has its own fields. The caller passes fields that the schema of the same action has parsed.
const members = Object.values(all) as unknown as AnyAction[]

/** Sorted by type, so that the API description does not depend on the import order. */
export const actions = members.sort((left, right) => (left.type < right.type ? -1 : 1))

function createActionSchema<Type extends string, Fields extends z.ZodRawShape>(action: {
  type: Type
  description: string
  fields: Fields
}) {
  return z
    .strictObject({ type: z.literal(action.type), ...action.fields })
    .meta({ id: `${capitalised(action.type)}Action`, description: action.description })
}

type All = typeof all
type ActionSchema = {
  [Key in keyof All]: ReturnType<typeof createActionSchema<All[Key]['type'], All[Key]['fields']>>
}[keyof All]

const actionSchema = z
  .discriminatedUnion(
    'type',
    // `map` returns an array, but the union requires a non-empty tuple.
    actions.map((action) => createActionSchema(action)) as unknown as [ActionSchema, ...ActionSchema[]],
    { error: `An action is an object whose type is one of ${actions.map(({ type }) => type).join(', ')}.` },
  )
  .meta({ id: 'Action' })

export type ActionRequest = z.output<typeof actionSchema>

const actionSchemaWithAliases = z.preprocess((input) => {
  if (typeof input !== 'object' || input === null || !('type' in input)) return input
  const action = actions.find(({ aliases }) => aliases?.some((alias) => alias === input.type))
  return action ? { ...input, type: action.type } : input
}, actionSchema)

const maxWaitingMs = 60_000

export const actionList = bounded(actionSchemaWithAliases, 'MAX_ACTIONS').superRefine((list, context) => {
  const scriptsLength = list.reduce((sum, action) => sum + ('script' in action ? action.script.length : 0), 0)
  if (scriptsLength > bounds.MAX_SCRIPTS_LENGTH.most) return addBoundIssue('MAX_SCRIPTS_LENGTH', context)
  list.forEach(({ type, ...fields }, index) => {
    const message = getAction(type).problemOf?.(fields)
    if (message !== undefined) context.addIssue({ code: 'custom', path: [index], message })
  })
})

function getAction(type: ActionRequest['type']): AnyAction {
  const found = actions.find((action) => action.type === type)
  if (!found) throw new Error(`No such action: ${type}`)
  return found
}

export function waitingTime(list: ActionRequest[]): number {
  return list.reduce((sum, { type, ...fields }) => sum + (getAction(type).waitingTime?.(fields) ?? 0), 0)
}

export function getRepeatedActions(list: ActionRequest[]): ActionRequest[] {
  return list.filter(({ type }) => getAction(type).isRepeated)
}

export function exceedsMaxWait(waitFor: number, list: ActionRequest[]): boolean {
  return waitFor + waitingTime(list) > maxWaitingMs
}

type RunOptions = Pick<Deadline, 'remaining' | 'signal'> &
  Partial<Pick<ActionContext, 'warnings' | 'whileWaiting'>> & { trace?: Trace }

/** The first failing action ends the call; the error contains its index. */
export async function runActions(
  page: Page,
  list: ActionRequest[],
  options: RunOptions,
): Promise<ActionResults> {
  const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] }
  const { signal, warnings = [], whileWaiting = (wait) => wait(), trace = noTrace } = options
  for (const [index, { type, ...fields }] of list.entries()) {
    signal.throwIfAborted()
    const action = getAction(type)
    const remainingMs = options.remaining()
    // Ends before the deadline of the call, so that the error can name the action.
    const leftMs = Math.round(remainingMs - Math.min(3000, remainingMs / 3))
    const timeoutMs = Math.max(1, Math.min(15_000, leftMs))
    const began = performance.now()
    const traceResult = (result: 'done' | 'failed') =>
      trace.note({ step: 'action', index, type, ms: Math.round(performance.now() - began), result })
    try {
      await action.run(page, fields, { results, warnings, timeoutMs, signal, whileWaiting })
      traceResult('done')
    } catch (thrown) {
      traceResult('failed')
      // A page that is too large exceeds the limit regardless of the action.
      const isTooLarge = thrown instanceof AppError && thrown.code === 'SCRAPE_PAGE_TOO_LARGE'
      if (signal.aborted || isTooLarge) throw thrown
      // Half of the remaining time is reserved for the response.
      const maxMs = Math.max(1, Math.min(2000, Math.round(options.remaining() / 2)))
      throw await toActionError(page, { index, type, selector: selectorOf(fields), maxMs }, thrown)
    }
    if (/^(https?:|about:blank)/.test(page.url())) continue
    const nonHttpUrl = new Error('it led to a URL that is neither http nor https')
    throw await toActionError(page, { index, type, maxMs: 0 }, nonHttpUrl)
  }
  return results
}

const selectorOf = (fields: object) =>
  'selector' in fields && typeof fields.selector === 'string' ? fields.selector : undefined

async function toActionError(
  page: Page,
  failed: { index: number; type: string; selector?: string | undefined; maxMs: number },
  thrown: unknown,
): Promise<AppError> {
  const { index, type, selector, maxMs } = failed
  const { reason, found } = await explainFailure(page, { thrown, selector, maxMs })
  const target = selector === undefined ? '' : ` ${selector.slice(0, maxSelectorLengthInMessage)}`
  const facts = { ...(selector !== undefined && { selector }), ...(found && { found }) }
  const detail = { phase: 'actions', details: { index, type, reason, ...facts } }
  const message = `Action ${index} (${type}${target}) failed: ${reason}`
  return new AppError('SCRAPE_ACTION_ERROR', detail, { message, cause: thrown })
}

const maxSelectorLengthInMessage = 200
