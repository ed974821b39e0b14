import type { Page } from 'playwright-core'
import { type PageFunction, type PageScript, sourceOf } from './page-script.ts'
import { tabSession } from './tab-session.ts'

/** The result of an evaluation in the protocol. */
interface Evaluated {
  result: { value?: unknown }
  exceptionDetails?: { text: string; exception?: { description?: string; value?: unknown } }
}

/**
 * Runs one of our functions in the document of a tab, in an isolated world: it sees the same elements as the scripts of the page,
 * and they cannot change its built-ins. So its result cannot be larger than the function allows.
 */
export async function evaluateApart<Argument, Result>(
  tab: Page,
  work: PageFunction<Argument, Result> | PageScript<Argument, Result>,
  argument: Argument,
): Promise<Result> {
  const { session, frameId } = await tabSession(tab)
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId,
    worldName: 'apart',
  })
  const answer = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: sourceOf(work),
    arguments: [{ value: argument }],
    executionContextId,
    returnByValue: true,
    awaitPromise: true,
  })
  // The source defines the type of a function that runs elsewhere.
  return answered(answer) as Result
}

/** Runs a caller's source in the main world of the page. */
export async function evaluateAmong(tab: Page, expression: string): Promise<unknown> {
  const { session } = await tabSession(tab)
  const options = { returnByValue: true, awaitPromise: true, userGesture: true }
  return answered(await session.send('Runtime.evaluate', { expression, ...options }))
}

function answered({ result, exceptionDetails }: Evaluated): unknown {
  if (!exceptionDetails) return result.value
  const { text, exception } = exceptionDetails
  throw new Error(exception?.description ?? String(exception?.value ?? text))
}
