import type { CDPSession, Page } from 'playwright-core'

/** Function that runs in a page. Only its source is sent. */
export type PageFunction<Argument, Result> = (argument: Argument) => Result | Promise<Result>

/** A named part of a script: a function or a serialisable value. */
export type PagePart =
  | ((...args: never[]) => unknown)
  | RegExp
  | ReadonlySet<string>
  | string
  | number
  | readonly unknown[]
  | { readonly [name: string]: readonly string[] }

export interface PageScript<Argument, Result> {
  /** Entry point, which the page calls with the argument. In this process it only defines the types. */
  entry: PageFunction<Argument, Result>
  /**
   * Source of one function that contains the entry and all its parts, and otherwise uses only globals of every page.
   */
  source: string
}

/**
 * Builds one function for the page from several functions, instead of one function with nested functions. The names of
 * the parts are visible only inside this function. It uses strict mode, so page code that it calls, or that reads a
 * stack, cannot get a reference to its functions.
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
  const duplicate = names.find((name, index) => names.indexOf(name) < index)
  if (duplicate !== undefined)
    throw new Error(`A script for the page has two parts that are called ${duplicate}`)
  const lines = parts.map(([name, part]) => `const ${name} = ${toSource(part)};`)
  const source = `function (argument) {\n'use strict';\n${lines.join('\n')}\nreturn (${String(entry)})(argument);\n}`
  return { entry, source }
}

function toSource(part: PagePart): string {
  if (typeof part === 'function' || part instanceof RegExp) return String(part)
  return part instanceof Set ? `new Set(${JSON.stringify([...part])})` : JSON.stringify(part)
}

/** Response of an evaluation in the DevTools protocol. */
interface EvaluateResponse {
  result: { value?: unknown }
  exceptionDetails?: { text: string; exception?: { description?: string; value?: unknown } }
}

/**
 * Runs a function of the service in the document of a tab, in an isolated world. The function has access to the same
 * elements as the scripts of the page, which cannot change its built-ins. So the page cannot make the result larger
 * than the function allows.
 */
export async function evaluateInIsolatedWorld<Argument, Result>(
  tab: Page,
  work: PageFunction<Argument, Result> | PageScript<Argument, Result>,
  argument: Argument,
): Promise<Result> {
  const source = typeof work === 'function' ? String(work) : work.source
  // The result has the type of the function whose source was sent.
  return unwrapResult(await callInIsolatedWorld(await tabSession(tab), source, argument)) as Result
}

/** Calls a function, given by its source, in the isolated world of a frame. */
export async function callInIsolatedWorld(
  frame: FrameSession,
  source: string,
  argument: unknown,
): Promise<EvaluateResponse> {
  return frame.session.send('Runtime.callFunctionOn', {
    functionDeclaration: source,
    arguments: [{ value: argument }],
    executionContextId: await isolatedWorld(frame),
    returnByValue: true,
    awaitPromise: true,
  })
}

/** Returns the id of the isolated execution context in a frame; the browser creates it once. */
export async function isolatedWorld({ session, frameId }: FrameSession): Promise<number> {
  const world = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'apart' })
  return world.executionContextId
}

/** Runs a script of the caller in the main world of the page. */
export async function evaluateInMainWorld(tab: Page, expression: string): Promise<unknown> {
  const { session } = await tabSession(tab)
  const options = { returnByValue: true, awaitPromise: true, userGesture: true }
  return unwrapResult(await session.send('Runtime.evaluate', { expression, ...options }))
}

function unwrapResult({ result, exceptionDetails }: EvaluateResponse): unknown {
  if (!exceptionDetails) return result.value
  const { text, exception } = exceptionDetails
  throw new Error(exception?.description ?? String(exception?.value ?? text))
}

interface FrameSession {
  session: CDPSession
  frameId: string
}

/**
 * A separate DevTools session of the service with a tab, in addition to the driver's. The id of the main frame is the
 * id of the tab.
 */
interface TabSession extends FrameSession {
  /** Id of the browser context of the tab. */
  contextId: string
}

const sessions = new WeakMap<Page, Promise<TabSession>>()

/** Returns the session of a tab, which all callers share. */
export function tabSession(tab: Page): Promise<TabSession> {
  const session = sessions.get(tab) ?? openTabSession(tab)
  sessions.set(tab, session)
  return session
}

async function openTabSession(tab: Page): Promise<TabSession> {
  const session = await tab.context().newCDPSession(tab)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  return { session, frameId: targetInfo.targetId, contextId: targetInfo.browserContextId ?? '' }
}
