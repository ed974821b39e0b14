import type { Page } from 'playwright-core'
import { type PageFunction, type PageScript, sourceOf } from './page-script.ts'
import { tabSession } from './tab-session.ts'

/** What the protocol answers to an evaluation. */
interface Evaluated {
  result: { value?: unknown }
  exceptionDetails?: { text: string; exception?: { description?: string; value?: unknown } }
}

/**
 * Runs a function of ours in the document of a tab, in a world apart: it sees the same elements as the scripts of the page,
 * and none of them can change what it is made of. So what it answers is as large as it says and no larger.
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
  // The type of a function that runs elsewhere is what its source says.
  return answered(answer) as Result
}

/** Runs source of a caller among the scripts of the page. */
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
