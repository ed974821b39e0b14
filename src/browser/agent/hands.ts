import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { AppError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { ToolCall } from '../../ports/language-model.ts'
import { settle } from '../settle.ts'
import { taskBorder } from './border.ts'
import { createFence } from './fence.ts'
import { hasRef, look, nameOfRef, partOf, type View } from './look.ts'
import { createRepetition } from './repetition.ts'
import { secretsIn } from './secrets.ts'
import { followTabs } from './tabs.ts'
import { type AgentTool, Refusal, type Report, type Scene } from './tool.ts'
import * as allTools from './tools/all.ts'

/** What acts in the browser for the model, within bounds, and keeps the record of it. */
export interface Hands {
  firstLook(): Promise<string>
  run(call: ToolCall): Promise<Acted>
  /** The page as it is now, when something was done since it was looked at. */
  look(): Promise<string | undefined>
  steps(): number
  note(line: string): void
  record(): { result: string; stdout: string; steps: number }
  page(): Page
  release(): void
}

export interface Acted {
  /** For the model. */
  report: string
  /** Another document, or another tab, is shown now. */
  hasLeft: boolean
  isLoop: boolean
}

interface HandsOrder {
  prompt: string
  jobId?: string
  remaining(): number
}

const toolLimit = 10_000
/** What a click sets off begins a little later than the click ends. */
const afterAct = 150
/** A page that never rests must not use up the time of the task. */
const settleLimit = 4000

const tools = new Map<string, AgentTool>(Object.values(allTools).map((tool) => [tool.name, tool]))

export function createHands(needs: { page: Page; log: Log }, order: HandsOrder): Hands {
  const tabs = followTabs(needs.page)
  const border = taskBorder(needs.page.url(), order.prompt)
  const secrets = secretsIn(order.prompt)
  const fence = createFence()
  const timesDone = createRepetition()
  const lines: string[] = []
  let view: View = { url: '', title: '', outline: '' }
  let part = 1
  let steps = 0
  let isStale = true

  const timeoutMs = () => Math.max(1, Math.min(toolLimit, order.remaining()))
  const scene = (): Scene => ({
    page: tabs.current(),
    border,
    secrets,
    timeoutMs: timeoutMs(),
    element(ref) {
      if (!hasRef(view.outline, ref)) throw new Refusal(`There is no element ${ref} in the latest outline.`)
      return tabs.current().getByRef(ref)
    },
    acceptDialogs: tabs.acceptDialogs,
    showPart(chosen) {
      part = chosen
    },
  })

  async function seen(): Promise<string> {
    const page = tabs.current()
    if (page.isClosed()) throw gone()
    view = await look(page, timeoutMs()).catch((thrown: unknown) => {
      if (page.isClosed()) throw gone()
      return { url: page.url(), title: '', outline: `(the page does not answer: ${reasonOf(thrown)})` }
    })
    isStale = false
    const news = tabs.takeNews().map((line) => `${line}\n`)
    return fence(
      `${news.join('')}Address: ${view.url}\nTitle: ${view.title}\n\n${partOf(view.outline, part)}`,
    )
  }

  async function run(call: ToolCall): Promise<Acted> {
    const tool = tools.get(call.name)
    if (!tool) throw new Error(`there is no tool ${call.name}`)
    steps += 1
    const began = performance.now()
    const left = watchLeaving(tabs.current)
    const times = timesDone(call, view.outline)
    const what = `${call.name} ${described(tool, call, view.outline)}`.trim()
    const tried = times > 2 ? refused(repeated) : await attempt(tool, call, scene())
    if (tool.acts && tried.isDone) await rest(tabs, order.remaining)
    if (tool.acts) isStale = true
    lines.push(secrets.hide(`${steps}. ${what}${tried.isDone ? '' : `: ${tried.summary}`}`))
    const fields = { jobId: order.jobId, step: steps, tool: call.name, isDone: tried.isDone }
    needs.log.info({ ...fields, ms: Math.round(performance.now() - began) }, 'a step of a task')
    needs.log.debug(
      { ...fields, line: lines.at(-1), url: secrets.hide(tabs.current().url()) },
      'what the step did',
    )
    const pageText = tried.pageText === undefined ? '' : `\n${fence(tried.pageText)}`
    return { report: `${tried.outcome}${pageText}`, hasLeft: left(), isLoop: times > 3 }
  }

  return {
    run,
    firstLook: seen,
    look: async () => (isStale ? seen() : undefined),
    steps: () => steps,
    note: (line) => void lines.push(line),
    record: () => ({ result: view.outline, stdout: lines.join('\n'), steps }),
    page: tabs.current,
    release: tabs.release,
  }
}

const repeated =
  'Not done: you did exactly this twice on this page, and it looks the same. Do something else, or call done with what you know.'

type Tried = Report & { isDone: boolean; summary: string }

function refused(reason: string): Tried {
  return { outcome: reason, isDone: false, summary: 'not done' }
}

/** Nothing a tool meets ends the task: the model is told, and can do something else. */
async function attempt(tool: AgentTool, call: ToolCall, scene: Scene): Promise<Tried> {
  try {
    return { ...(await tool.run(scene, call.arguments)), isDone: true, summary: '' }
  } catch (thrown) {
    if (scene.page.isClosed()) return refused('The tab was closed.')
    if (thrown instanceof Refusal) return { outcome: thrown.message, isDone: false, summary: 'refused' }
    return { outcome: 'It did not work:', pageText: reasonOf(thrown), isDone: false, summary: 'did not work' }
  }
}

/** The driver's messages hold words of the page, and a log of its own of which the last lines say the most. */
function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the driver colours its messages for terminals
  const lines = text.replaceAll(/\u001b\[\d+m/g, '').split('\n')
  return [lines[0], ...lines.slice(-3)].join('\n').slice(0, 600)
}

function described(tool: AgentTool, call: ToolCall, outline: string): string {
  const { ref } = call.arguments
  const text = tool.describe(call.arguments)
  return typeof ref === 'string' ? text.replace(ref, nameOfRef(outline, ref)) : text
}

/** Tells whether another document, or another tab, is shown than when this was called. */
function watchLeaving(current: () => Page): () => boolean {
  const page = current()
  let hasNavigated = false
  const navigated = (frame: unknown) => {
    if (frame === page.mainFrame()) hasNavigated = true
  }
  page.on('framenavigated', navigated)
  return () => {
    page.off('framenavigated', navigated)
    return hasNavigated || current() !== page
  }
}

async function rest(tabs: ReturnType<typeof followTabs>, remaining: () => number): Promise<void> {
  await pause(afterAct)
  const signal = AbortSignal.timeout(Math.max(1, Math.min(settleLimit, remaining())))
  // A page that does not come to rest in time is looked at as it is.
  await settle(tabs.current(), tabs.network(), signal).catch(() => undefined)
}

function gone(): AppError {
  const message = 'The page was closed while the task was worked on. Open a page and call again.'
  return new AppError('BROWSER_FAILED', { phase: 'act' }, { message })
}
