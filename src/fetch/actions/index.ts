import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { evaluateInIsolatedWorld } from '../../browser/page-script.ts'
import type { ActionResults } from '../../content/page.ts'
import { beyond, list as bounded } from '../../platform/bounded.ts'
import { bounds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { stripInternalAddresses } from '../../platform/safe-errors.ts'
import { capitalised } from '../../platform/text.ts'
import { noTrace, type Trace } from '../../platform/trace/trace.ts'
import type { Action, ActionContext } from './action.ts'
import * as all from './all.ts'

/** What stands on a page instead of what an action looked for. */
interface PageStateAtFailure {
  /** Elements that match the selector. */
  matches: number
  title: string
  /** Some of what can be clicked or filled in. */
  elements: string[]
}

/** Undefined where the page does not answer in time. */
async function lookAt(page: Page, selector: string, mostMs: number): Promise<PageStateAtFailure | undefined> {
  const look = async () => ({
    matches: await page.locator(selector).count(),
    ...(await evaluateInIsolatedWorld(page, elementsOf, maxElements)),
  })
  const late = new AbortController()
  try {
    return await Promise.race([look(), sleep(mostMs, undefined, { signal: late.signal })])
  } catch {
    // A page that is going away, or a selector that is none: the reason of the failure says so.
    return undefined
  } finally {
    late.abort()
  }
}

const maxElements = 8

/** Runs in the page. */
function elementsOf(most: number): { title: string; elements: string[] } {
  const wanted = document.querySelectorAll('button, a[href], input, select, textarea, [role="button"]')
  const elements: string[] = []
  for (const element of Array.from(wanted).slice(0, 200)) {
    if (elements.length >= most) break
    if (!element.checkVisibility()) continue
    const classes = Array.from(element.classList).slice(0, 2)
    const id = element.id === '' ? classes.map((name) => `.${name}`).join('') : `#${element.id}`
    const text = (element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 30)
    const name = `${element.localName}${id}`.slice(0, 80)
    elements.push(text === '' ? name : `${name} "${text}"`)
  }
  return { title: document.title.slice(0, 100), elements }
}

/** Why an action failed, and what was there instead of the element it was meant for, as far as time allows. */
async function explainFailure(
  page: Page,
  { thrown, selector, mostMs }: { thrown: unknown; selector: string | undefined; mostMs: number },
): Promise<{ reason: string; found?: PageStateAtFailure }> {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  // The driver's messages go on with a log of its own; the first line says what happened.
  const said = stripInternalAddresses(message.split('\n')[0] ?? '')
  const found = selector === undefined ? undefined : await lookAt(page, selector, mostMs)
  if (!found) return { reason: said }
  if (found.matches > 0) {
    const obstacle = obstacles.find((words) => message.includes(words))
    const is = obstacle === obstacles[0] ? 'covered by another element' : obstacle
    const why = is === undefined ? said : `the first of them is ${is}`
    return { reason: `${found.matches} found, but ${why}`, found }
  }
  const there = found.elements.length === 0 ? 'nothing to click or fill in' : found.elements.join(', ')
  return { reason: `no element matches; the page "${found.title}" has ${there}`, found }
}

/** What the log of the driver says of an element that is there and cannot be used. */
const obstacles = [
  'intercepts pointer events',
  'not visible',
  'not enabled',
  'not stable',
  'outside of the viewport',
]

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

const maxWaiting = 60_000

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
export function expandRepeats(list: ActionRequest[]): ActionRequest[] {
  return list.filter(({ type }) => actionOf(type).isRepeated)
}

export function waitsTooLong(waitFor: number, list: ActionRequest[]): boolean {
  return waitFor + waitingTime(list) > maxWaiting
}

export interface RunOptions {
  remaining: () => number
  signal: AbortSignal
  /** Hears what the caller should know. */
  warnings?: string[]
  /** Where pages take turns: runs what only waits. */
  whileWaiting?: ActionContext['whileWaiting']
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
      // A page that is too large is so whatever was done on it.
      const isTooLarge = thrown instanceof AppError && thrown.code === 'SCRAPE_PAGE_TOO_LARGE'
      if (signal.aborted || isTooLarge) throw thrown
      // Half of what an action leaves: the other half is for the answer.
      const mostMs = Math.max(1, Math.min(2000, Math.round(options.remaining() / 2)))
      throw await failed(page, { index, type, selector: selectorOf(fields), mostMs }, thrown)
    }
    // An action may have led the page to another place.
    if (/^(https?:|about:blank)/.test(page.url())) continue
    throw await failed(page, { index, type, mostMs: 0 }, new Error(ledAway))
  }
  return results
}

/** An action that waits in vain ends before the whole call does, so that the error can name it. */
function timeFor(remaining: number): number {
  return Math.max(1, Math.min(15_000, Math.round(remaining - Math.min(3000, remaining / 3))))
}

const selectorOf = (fields: object) =>
  'selector' in fields && typeof fields.selector === 'string' ? fields.selector : undefined

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
