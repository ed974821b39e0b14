import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { createFence } from '../../base/fence.ts'
import { listener } from '../../base/listener.ts'
import type { Log } from '../../base/log.ts'
import { settle } from '../../browser/settle.ts'
import type { ToolCall } from '../../ports/language-model.ts'
import { sitesOfTask } from './allowed-sites.ts'
import { reasonOf } from './driver-message.ts'
import { nameOfRef } from './look.ts'
import { createObserver } from './observer.ts'
import { createRepetition } from './repetition.ts'
import { sitesOfSecrets } from './secret-sites.ts'
import { type Secrets, secretsIn } from './secrets.ts'
import { followTabs, type Tabs } from './tabs.ts'
import { type AgentTool, Refusal, type Report, type Scene } from './tool.ts'
import * as allTools from './tools/all.ts'

/** Acts in the browser for the model, within limits, and records the steps. */
export interface Actor {
  run(call: ToolCall): Promise<Acted>
  /** The current page, between marks; undefined if nothing was done since the last look. */
  look(): Promise<string | undefined>
  steps(): number
  note(line: string): void
  record(): { result: string; stdout: string; steps: number }
  page(): Page
  release(): void
}

interface Acted {
  /** For the model. */
  report: string
  /** The browser now shows another document or another tab. */
  hasLeft: boolean
  isLoop: boolean
}

interface ActorOrder {
  prompt: string
  jobId?: string
  remaining(): number
}

const toolLimit = 10_000

export function createActor(needs: { page: Page; log: Log }, order: ActorOrder): Actor {
  const tabs = followTabs(needs.page)
  const observer = createObserver(tabs)
  const allowedSites = sitesOfTask(needs.page.url(), order.prompt)
  const secrets = secretsIn(order.prompt)
  const secretSites = sitesOfSecrets(order.prompt, [needs.page.url()])
  const fence = createFence()
  const timesDone = createRepetition()
  const steps = stepRecord(needs.log, { jobId: order.jobId, secrets })
  const timeoutMs = () => Math.max(1, Math.min(toolLimit, order.remaining()))
  const { element, showPart } = observer
  const { acceptDialogs } = tabs
  const reach = { allowedSites, secrets, secretSites, element, showPart, acceptDialogs }
  const scene = (): Scene => ({ ...reach, page: tabs.current(), timeoutMs: timeoutMs() })
  let isStale = true
  return {
    async run(call) {
      const tool = toolOf(call)
      const left = watchLeaving(tabs.current)
      const times = timesDone(call, observer.outline())
      const ended = steps.begin(call.name, described(tool, call, observer.outline()))
      const tried = times > 2 ? refused(repeated) : await attempt(tool, call, scene())
      if (tool.acts && tried.isDone) await rest(tabs, order.remaining)
      isStale ||= tool.acts
      ended(tried)
      const pageText = tried.pageText === undefined ? '' : `\n${fence(tried.pageText)}`
      return { report: `${tried.outcome}${pageText}`, hasLeft: left(), isLoop: times > 3 }
    },
    async look() {
      if (!isStale) return undefined
      const text = await observer.look(timeoutMs())
      isStale = false
      return fence(text)
    },
    steps: steps.count,
    note: steps.note,
    record: () => ({ result: observer.outline(), stdout: steps.text(), steps: steps.count() }),
    page: tabs.current,
    release: tabs.release,
  }
}

const tools = new Map<string, AgentTool>(Object.values(allTools).map((tool) => [tool.name, tool]))

function toolOf({ name }: ToolCall): AgentTool {
  const tool = tools.get(name)
  if (!tool) throw new Error(`the tool ${name} was not offered, and the port lets no other pass`)
  return tool
}

const repeated =
  'Not done: you did exactly this twice on this page, and it looks the same. Do something else, or call done with what you know.'

type Tried = Report & { isDone: boolean; summary: string }

function refused(reason: string): Tried {
  return { outcome: reason, isDone: false, summary: 'refused' }
}

/** A failing tool does not end the task: the model gets the error and can do something else. */
async function attempt(tool: AgentTool, call: ToolCall, scene: Scene): Promise<Tried> {
  try {
    return { ...(await tool.run(scene, call.arguments)), isDone: true, summary: '' }
  } catch (thrown) {
    if (scene.page.isClosed()) return refused('The tab was closed.')
    if (thrown instanceof Refusal) return refused(thrown.message)
    const pageText = reasonOf(thrown)
    return { outcome: 'It did not work:', pageText, isDone: false, summary: 'did not work' }
  }
}

function described(tool: AgentTool, call: ToolCall, outline: string): string {
  const { ref } = call.arguments
  const text = tool.describe(call.arguments)
  return typeof ref === 'string' ? text.replace(ref, () => nameOfRef(outline, ref)) : text
}

/** Returns a function that tells whether the document or the tab has changed since this call. */
function watchLeaving(current: () => Page): () => boolean {
  const page = current()
  let hasNavigated = false
  const navigated = listener(
    (frame: unknown) => {
      if (frame === page.mainFrame()) hasNavigated = true
    },
    // A page that does not answer counts as changed.
    () => {
      hasNavigated = true
    },
  )
  page.on('framenavigated', navigated)
  return () => {
    page.off('framenavigated', navigated)
    return hasNavigated || current() !== page
  }
}

/** The effects of a click start a little after the click. */
const afterAct = 150
/** A page that never becomes stable must not use up the time of the task. */
const settleLimit = 4000
const openLimit = 3000

async function rest(tabs: Tabs, remaining: () => number): Promise<void> {
  await pause(afterAct)
  await tabs.untilOpened(Math.min(openLimit, remaining()))
  const signal = AbortSignal.timeout(Math.max(1, Math.min(settleLimit, remaining())))
  // A page that does not become stable in time is used as it is.
  await settle(tabs.current(), { network: tabs.network(), signal }).catch(() => undefined)
}

/** The steps, one line each, for the user and for the log; the log has no page text unless its level is debug. */
function stepRecord(log: Log, { jobId, secrets }: { jobId: string | undefined; secrets: Secrets }) {
  const lines: string[] = []
  let count = 0
  return {
    count: () => count,
    text: () => lines.join('\n'),
    note: (line: string) => void lines.push(line),
    begin(tool: string, what: string) {
      count += 1
      const step = count
      const began = performance.now()
      return ({ isDone, summary }: Tried) => {
        // Redacted at the end, because a password is only recognised once its field is known.
        const line = secrets.hide(`${step}. ${tool} ${what}`.trim() + (isDone ? '' : `: ${summary}`))
        lines.push(line)
        const ms = Math.round(performance.now() - began)
        log.info({ jobId, step, tool, isDone, ms }, 'a step of a task')
        log.debug({ jobId, step, line }, 'what the step did')
      }
    },
  }
}
