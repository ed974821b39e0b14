import type { CDPSession, Page } from 'playwright-core'

export type PageFunction<Argument, Result> = (argument: Argument) => Result | Promise<Result>

export type PagePart =
  | ((...args: never[]) => unknown)
  | RegExp
  | ReadonlySet<string>
  | string
  | number
  | readonly unknown[]
  | { readonly [name: string]: readonly string[] }

export interface PageScript<Argument, Result> {
  /** The page calls it with the argument. In this process it only defines the types. */
  entry: PageFunction<Argument, Result>
  source: string
}

/**
 * Strict mode gives page code no reference to these functions. Declare parts of another file with `declare const part:
 * typeof import('./file.ts').part`: a module loader may rename imports, and the source would contain the new name.
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

interface EvaluateResponse {
  result: { value?: unknown }
  exceptionDetails?: { text: string; exception?: { description?: string; value?: unknown } }
}

/** The page cannot change built-ins of this world, so the result is not larger than the function allows. */
export async function evaluateInIsolatedWorld<Argument, Result>(
  tab: Page,
  work: PageFunction<Argument, Result> | PageScript<Argument, Result>,
  argument: Argument,
): Promise<Result> {
  const source = typeof work === 'function' ? String(work) : work.source
  // The result has the type of the function whose source was sent.
  return unwrapResult(await callInIsolatedWorld(await tabSession(tab), source, argument)) as Result
}

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

export async function isolatedWorld({ session, frameId }: FrameSession): Promise<number> {
  const world = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'apart' })
  return world.executionContextId
}

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

const sessions = new WeakMap<Page, ReturnType<typeof openTabSession>>()

export function tabSession(tab: Page): ReturnType<typeof openTabSession> {
  const session = sessions.get(tab) ?? openTabSession(tab)
  sessions.set(tab, session)
  return session
}

/** In addition to the driver's session. The id of the main frame is the id of the tab. */
async function openTabSession(tab: Page) {
  const session = await tab.context().newCDPSession(tab)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  return { session, frameId: targetInfo.targetId, contextId: targetInfo.browserContextId ?? '' }
}

/** For a page, document or target that was closed meanwhile: its call needs no response. */
export const ignoreError = () => undefined
