import type { Page } from 'playwright-core'
import { type Deadline, startDeadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { LanguageModel, Step, ToolCall } from '../../ports/language-model.ts'
import { createHands, type Hands } from './hands.ts'
import { lastWord, systemPrompt } from './system-prompt.ts'
import * as allTools from './tools/all.ts'
import { done } from './tools/done.ts'
import { createTranscript, type Transcript } from './transcript.ts'

export interface AgentNeeds {
  model: LanguageModel
  page: Page
  log: Log
}

export interface AgentOrder {
  prompt: string
  timeoutMs: number
  /** Stands in every log line of the task. */
  jobId?: string
}

export interface AgentOutcome {
  /** The answer. */
  output: string
  /** The last look at the page. */
  result: string
  /** The steps, one per line. */
  stdout: string
  steps: number
  /** Why the task was ended before the model was done; the answer is then the best it could give. */
  stopped?: string
  /** The tab the task ended in: a link may have opened another than the one it began in. */
  page: Page
}

const mostSteps = 25
/** About twice what a task of all its steps on long pages takes. */
const mostTokens = 750_000
const offers = Object.values(allTools).map(({ offer }) => offer)

/** Carries out a task in a browser: the model looks and chooses, the hands act, until it is done or must stop. */
export async function runAgent(
  needs: AgentNeeds,
  order: AgentOrder,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const whole = startDeadline(order.timeoutMs, 'INTERACT_TIMEOUT', signal)
  // Some time is kept back, so that what was found can still be told when the rest is used up.
  const working = startDeadline(
    order.timeoutMs - Math.min(15_000, order.timeoutMs / 5),
    'INTERACT_TIMEOUT',
    signal,
  )
  const transcript = createTranscript()
  const hands = createHands(needs, { ...order, remaining: working.remaining })
  const task = { needs, transcript, hands, working, whole }
  try {
    transcript.ask(`The task:\n${order.prompt}`)
    transcript.ask(await working.during('look', () => hands.firstLook()))
    const end = await work(task)
    const output = end.answer ?? (await lastAnswer(task, end.reason))
    return {
      ...hands.record(),
      output,
      page: hands.page(),
      ...(end.answer === undefined && { stopped: end.reason }),
    }
  } catch (thrown) {
    signal.throwIfAborted()
    throw withSteps(thrown, hands)
  } finally {
    hands.release()
  }
}

interface Task {
  needs: AgentNeeds
  transcript: Transcript
  hands: Hands
  /** Ends before the whole does. */
  working: Deadline
  whole: Deadline
}

type End = { answer: string } | { answer?: undefined; reason: string }

async function work({ needs, transcript, hands, working }: Task): Promise<End> {
  let tokens = 0
  try {
    while (tokens < mostTokens) {
      const said = await working.during('model', (signal) =>
        needs.model.step(
          { system: systemPrompt, messages: transcript.messages(), tools: offers, mustCall: true },
          signal,
        ),
      )
      tokens += said.usage.inputTokens + said.usage.outputTokens
      transcript.heard(said.text, said.calls)
      const answer = answerIn(said)
      if (answer !== undefined) return { answer }
      const isStuck = await working.during('act', () => act(said.calls, transcript, hands))
      if (isStuck) return { reason: 'the same thing was done again and again' }
      if (hands.steps() >= mostSteps) return { reason: `${mostSteps} steps were done` }
    }
    return { reason: 'the tokens of one task were used up' }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'INTERACT_TIMEOUT') return { reason: 'the time was up' }
    throw thrown
  }
}

/** Runs the calls in order. When one changed the page, those after it were meant for another page and are not run. */
async function act(calls: ToolCall[], transcript: Transcript, hands: Hands): Promise<boolean> {
  let isStuck = false
  let skip: string | undefined
  for (const [index, call] of calls.entries()) {
    const isLast = index === calls.length - 1
    if (call.name === done.name)
      skip = 'Not taken: look at what came of the other calls, then call done alone.'
    if (skip !== undefined || hands.steps() >= mostSteps) {
      transcript.answer(
        call,
        skip ?? 'Not run: the last step was done.',
        isLast ? await hands.look() : undefined,
      )
      continue
    }
    const { report, hasLeft, isLoop } = await hands.run(call)
    isStuck ||= isLoop
    if (hasLeft) skip = 'Not run: the page has changed. Look at the new outline first.'
    transcript.answer(call, report, isLast ? await hands.look() : undefined)
  }
  return isStuck
}

/** Only an answer that stands alone is one: with other calls beside it, their outcome is not known yet. */
function answerIn({ calls }: Step): string | undefined {
  const [call, ...others] = calls
  if (call?.name !== done.name || others.length > 0) return undefined
  return String(call.arguments.answer)
}

/** What is known, in the time that was kept back. */
async function lastAnswer({ needs, transcript, hands, whole }: Task, reason: string): Promise<string> {
  hands.note(`stopped: ${reason}`)
  const messages = [...closed(transcript), { role: 'user' as const, text: lastWord(reason) }]
  const said = await whole.during('last answer', (signal) =>
    needs.model.step({ system: systemPrompt, messages, tools: [done.offer], mustCall: true }, signal),
  )
  const call = said.calls.find(({ name }) => name === done.name)
  return String(call?.arguments.answer)
}

/** A conversation whose last calls were cut off gets an answer to each of them; servers refuse it otherwise. */
function closed(transcript: Transcript) {
  const messages = transcript.messages()
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.call.id] : [])))
  const open = messages.flatMap((message) => (message.role === 'model' ? message.calls : []))
  const missing = open.filter(({ id }) => !answered.has(id))
  return [...messages, ...missing.map((call) => ({ role: 'tool' as const, call, text: 'Not finished.' }))]
}

/**
 * Callers repeat what failed with 502, as nothing was done then. Once steps were done, the code says so, and the steps
 * come along.
 */
function withSteps(thrown: unknown, hands: Hands): unknown {
  if (!(thrown instanceof AppError)) return thrown
  const { stdout, steps } = hands.record()
  const detail = { ...thrown.detail, stdout, steps }
  if (thrown.code === 'MODEL_FAILED' && steps > 0)
    return new AppError('INTERACT_FAILED', detail, { cause: thrown })
  return new AppError(thrown.code, detail, { message: thrown.message, cause: thrown.cause })
}
