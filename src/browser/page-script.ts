import type { CDPSession, Page } from 'playwright-core'

/** A function that runs in a page: only its source is sent. */
export type PageFunction<Argument, Result> = (argument: Argument) => Result | Promise<Result>

/** The named parts of a script: functions and serialisable values. */
export type PagePart =
  | ((...given: never[]) => unknown)
  | RegExp
  | ReadonlySet<string>
  | string
  | number
  | readonly unknown[]
  | { readonly [name: string]: readonly string[] }

export interface PageScript<Argument, Result> {
  /** Called in the page with the argument. Here it only defines the types. */
  entry: PageFunction<Argument, Result>
  /** Source of one function that contains the entry and all its parts, and otherwise uses only globals of every page. */
  source: string
}

/**
 * Builds one function for the page from several functions, so that none of them has to contain all the others. The names of
 * the parts are visible inside it only. It is strict: page code that it calls, or that reads a stack, cannot get a reference
 * to its functions.
 *
 * Declare parts of another file with `declare const part: typeof import('./file.ts').part`: a module loader may rename
 * imports, and the source of a function would contain the new name.
 */
export function pageScript<Argument, Result>(
  entry: PageFunction<Argument, Result>,
  ...groups: Record<string, PagePart>[]
): PageScript<Argument, Result> {
  const parts = groups.flatMap((group) => Object.entries(group))
  const names = parts.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new Error(`A script for the page has two parts that are called ${twice}`)
  const lines = parts.map(([name, part]) => `const ${name} = ${written(part)};`)
  const source = `function (argument) {\n'use strict';\n${lines.join('\n')}\nreturn (${String(entry)})(argument);\n}`
  return { entry, source }
}

function written(part: PagePart): string {
  if (typeof part === 'function' || part instanceof RegExp) return String(part)
  return part instanceof Set ? `new Set(${JSON.stringify([...part])})` : JSON.stringify(part)
}

/** The result of an evaluation in the protocol. */
interface Evaluated {
  result: { value?: unknown }
  exceptionDetails?: { text: string; exception?: { description?: string; value?: unknown } }
}

/**
 * Runs one of our functions in the document of a tab, in an isolated world: it sees the same elements as the scripts of the page,
 * and they cannot change its built-ins. So its result cannot be larger than the function allows.
 */
export async function evaluateInIsolatedWorld<Argument, Result>(
  tab: Page,
  work: PageFunction<Argument, Result> | PageScript<Argument, Result>,
  argument: Argument,
): Promise<Result> {
  const source = typeof work === 'function' ? String(work) : work.source
  // The source defines the type of a function that runs elsewhere.
  return answered(await callInIsolatedWorld(await tabSession(tab), source, argument)) as Result
}

/** Calls a function, given by its source, in the isolated world of a frame. */
export async function callInIsolatedWorld(
  frame: FrameSession,
  source: string,
  argument: unknown,
): Promise<Evaluated> {
  return frame.session.send('Runtime.callFunctionOn', {
    functionDeclaration: source,
    arguments: [{ value: argument }],
    executionContextId: await isolatedWorld(frame),
    returnByValue: true,
    awaitPromise: true,
  })
}

/** The context of our own scripts in a frame; the browser creates it once. */
export async function isolatedWorld({ session, frameId }: FrameSession): Promise<number> {
  const world = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'apart' })
  return world.executionContextId
}

/** Runs a caller's source in the main world of the page. */
export async function evaluateInMainWorld(tab: Page, expression: string): Promise<unknown> {
  const { session } = await tabSession(tab)
  const options = { returnByValue: true, awaitPromise: true, userGesture: true }
  return answered(await session.send('Runtime.evaluate', { expression, ...options }))
}

function answered({ result, exceptionDetails }: Evaluated): unknown {
  if (!exceptionDetails) return result.value
  const { text, exception } = exceptionDetails
  throw new Error(exception?.description ?? String(exception?.value ?? text))
}

interface FrameSession {
  session: CDPSession
  frameId: string
}

/** Our own DevTools session with a tab, in addition to the driver's. The main frame has the name of the tab. */
interface TabSession extends FrameSession {
  /** Of the context that the tab belongs to. */
  contextId: string
}

const sessions = new WeakMap<Page, Promise<TabSession>>()

/** Shared by all callers. */
export function tabSession(tab: Page): Promise<TabSession> {
  const known = sessions.get(tab) ?? open(tab)
  sessions.set(tab, known)
  return known
}

async function open(tab: Page): Promise<TabSession> {
  const session = await tab.context().newCDPSession(tab)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  return { session, frameId: targetInfo.targetId, contextId: targetInfo.browserContextId ?? '' }
}
