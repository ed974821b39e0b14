import type { Page as Tab } from 'playwright-core'
import type { Deadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import type { Trace } from '../../base/trace/trace.ts'
import type { Turn } from '../../browser/pool.ts'
import type { TaskResult } from '../../content/captures.ts'
import type { FetchPlan } from '../fetch-plan.ts'

/** Lets a language model carry out a task in a tab. */
export type RunTask = (
  tab: Tab,
  order: { teamId: string; prompt: string; timeoutMs: number; turn: Turn; trace: Trace },
  signal: AbortSignal,
) => Promise<TaskResult>

/** The rest of the time belongs to what the page says afterwards. */
const shareOfTime = 0.6

/** Runs the task of the plan in the tab, which is read afterwards. */
export async function carryOut(
  runTask: RunTask | undefined,
  { tab, plan, turn, deadline }: { tab: Tab; plan: FetchPlan; turn: Turn; deadline: Deadline },
): Promise<TaskResult | undefined> {
  if (plan.task === undefined) return undefined
  if (!runTask) throw new AppError('MODEL_NOT_CONFIGURED')
  const { teamId, task: prompt, trace } = plan
  const timeoutMs = Math.round(deadline.remaining() * shareOfTime)
  const began = performance.now()
  const note = (result: 'done' | 'failed') =>
    trace.note({
      ...{ step: 'action', index: plan.actions.length, type: 'task' },
      ...{ ms: Math.round(performance.now() - began), result },
    })
  await stayInTab(tab)
  try {
    const task = await runTask(tab, { teamId, prompt, timeoutMs, turn, trace }, deadline.signal)
    note(task.stopped === undefined ? 'done' : 'failed')
    return task
  } catch (thrown) {
    note('failed')
    throw thrown
  }
}

/** The browsers of scrapes open no further tabs, so what would open one is led to this one. */
async function stayInTab(tab: Tab): Promise<void> {
  await tab.addInitScript(openHere)
  await tab.evaluate(openHere)
}

function openHere(): void {
  const lead = ({ target }: Event) => {
    const opening = target instanceof Element ? target.closest('a[target], area[target], form[target]') : null
    opening?.removeAttribute('target')
  }
  for (const type of ['click', 'submit']) document.addEventListener(type, lead, { capture: true })
}
