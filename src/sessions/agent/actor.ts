import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Dialog, Download, Page } from 'playwright-core'
import { tabSession } from '../../browser/page-script.ts'
import { settle } from '../../browser/settle.ts'
import { type NetworkWatch, watchNetwork } from '../../browser/watch-network.ts'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import type { Log } from '../../platform/log.ts'
import type { ToolCall } from '../../platform/ports/language-model.ts'
import { createFence } from '../../platform/text.ts'
import { findTaskSites } from './allowed-sites.ts'
import { hasRef, look, nameOfRef, partOf, type View } from './look.ts'
import { sitesOfSecrets } from './secret-sites.ts'
import { type Secrets, secretsIn } from './secrets.ts'
import { type AgentTool, Refusal, type Report, type Scene } from './tool.ts'
import * as allTools from './tools.ts'

/** One listener per page, for any number of tasks. */
const watches = new WeakMap<Page, NetworkWatch>()

function watchOf(page: Page): NetworkWatch {
  const watch = watches.get(page) ?? watchNetwork(page)
  watches.set(page, watch)
  return watch
}

/** Maximum number of tabs that are followed. */
const maxTabs = 10

/** The tabs of one task: the first one, and those opened from it. The newest open tab is the current one. */
function followTabs(first: Page) {
  const tabs: Page[] = []
  const releases: (() => void)[] = []
  const news: string[] = []
  let isAccepting = false
  let coming = 0
  const tell = (text: string) => {
    if (news.length < 10) news.push(text)
  }
  const follow = (page: Page) => {
    if (releases.length >= maxTabs) return tell('Another tab was opened, which is not followed.')
    if (page !== first) {
      coming = Math.max(0, coming - 1)
      tell('A new tab was opened; it is the current one now.')
    }
    tabs.push(page)
    watchOf(page)
    const closed = () => {
      tabs.splice(tabs.indexOf(page), 1)
      tell('A tab was closed.')
    }
    // A tab that cannot be followed is reported like other events.
    const lost = () => tell('Something happened in a tab that could not be followed.')
    const asked = listener(async (dialog: Dialog) => tell(await answer(dialog, isAccepting)), lost)
    const downloaded = listener((download: Download) => {
      const name = JSON.stringify(download.suggestedFilename().slice(0, 100))
      tell(`A download of ${name} began; files are not kept.`)
    }, lost)
    const opened = listener(follow, lost)
    page.on('popup', opened).on('close', closed).on('dialog', asked).on('download', downloaded)
    const stopWatching = watchWindows(page, () => {
      coming += 1
    })
    releases.push(() => {
      stopWatching()
      page.off('popup', opened).off('close', closed).off('dialog', asked).off('download', downloaded)
    })
  }
  follow(first)
  const current = () => tabs.at(-1) ?? first
  return {
    current,
    network: () => watchOf(current()),
    /** Waits for requested tabs that are not open yet; a blocked window never opens. */
    async untilOpened(mostMs: number) {
      const ends = performance.now() + mostMs
      while (coming > 0 && performance.now() < ends) await pause(20)
      coming = 0
    },
    /** Events since the last call: dialogs, tabs, downloads. Our own text, with page text in quotes. */
    takeNews: () => news.splice(0),
    /** How dialogs of the page are answered from now on. */
    acceptDialogs(value: boolean) {
      isAccepting = value
    },
    /** Stops listening; the tabs stay as they are. */
    release() {
      for (const stop of releases) stop()
    },
  }
}

type Tabs = ReturnType<typeof followTabs>

/** The driver reports a window when it is usable, possibly long after the click that requested it. */
function watchWindows(page: Page, onAsked: () => void): () => void {
  const listening = tabSession(page).then(async ({ session }) => {
    session.on('Page.windowOpen', onAsked)
    await session.send('Page.enable')
    return session
  })
  // A closed page requests no more windows.
  listening.catch(() => undefined)
  return () => {
    listening.then((session) => session.off('Page.windowOpen', onAsked)).catch(() => undefined)
  }
}

/** An alert is accepted, leaving a page is allowed; a question is declined unless the model says otherwise. */
async function answer(dialog: Dialog, isAccepting: boolean): Promise<string> {
  const isQuestion = dialog.type() === 'confirm' || dialog.type() === 'prompt'
  const accept = isAccepting || !isQuestion
  const words = JSON.stringify(dialog.message().slice(0, 300))
  // Another client of the browser may answer first; drivers do so automatically.
  const isOurs = await (accept ? dialog.accept() : dialog.dismiss()).then(
    () => true,
    () => false,
  )
  if (!isOurs) return `The page asked ${words}, which another program on this browser has answered.`
  if (!isQuestion) return `The page showed a message: ${words}`
  const how = accept ? 'accepted' : 'declined; to accept it, click again with acceptDialog'
  return `The page asked ${words}, which was ${how}.`
}

interface Acted {
  /** For the model. */
  report: string
  /** The browser now shows another document or another tab. */
  hasLeft: boolean
  isLoop: boolean
}

const toolLimit = 10_000

/** Acts in the browser for the model, within limits, and records the steps. */
export function createActor(
  deps: { page: Page; log: Log },
  order: { prompt: string; jobId?: string; remaining(): number },
) {
  const tabs = followTabs(deps.page)
  const observer = createObserver(tabs)
  const allowedSites = findTaskSites(deps.page.url(), order.prompt)
  const secrets = secretsIn(order.prompt)
  const secretSites = sitesOfSecrets(order.prompt, [deps.page.url()])
  const fence = createFence()
  const timesDone = createRepetition()
  const steps = stepRecord(deps.log, { jobId: order.jobId, secrets })
  const timeoutMs = () => Math.max(1, Math.min(toolLimit, order.remaining()))
  const { element, showPart } = observer
  const { acceptDialogs } = tabs
  const reach = { allowedSites, secrets, secretSites, element, showPart, acceptDialogs }
  const scene = (): Scene => ({ ...reach, page: tabs.current(), timeoutMs: timeoutMs() })
  let isStale = true
  return {
    async run(call: ToolCall): Promise<Acted> {
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
    /** The current page, between marks; undefined if nothing was done since the last look. */
    async look(): Promise<string | undefined> {
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

export type Actor = ReturnType<typeof createActor>

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

/** Counts how often the same step was done on the same page; a change of the page resets the count. */
function createRepetition(): (call: { name: string; arguments: object }, outline: string) => number {
  const counts = new Map<string, number>()
  return (call, outline) => {
    // The focus does not count as a change.
    const text = JSON.stringify([call.name, call.arguments, outline.replaceAll(' [active]', '')])
    const key = createHash('sha256').update(text).digest('base64')
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }
}

/** The last outline that the model has seen, and the elements of its refs. */
function createObserver(tabs: Tabs) {
  let view: View = { url: '', title: '', outline: '' }
  let part = 1
  return {
    /** The current page as text: events, URL, outline. All of it is page text. */
    async look(timeoutMs: number) {
      const page = tabs.current()
      const before = view.url
      view = await look(page, timeoutMs).catch((thrown: unknown) => {
        if (page.isClosed()) {
          const message = 'The page was closed while the task was worked on. Open a page and call again.'
          throw new AppError('BROWSER_FAILED', { phase: 'look' }, { message, cause: thrown })
        }
        return { url: page.url(), title: '', outline: `(the page does not answer: ${reasonOf(thrown)})` }
      })
      if (view.url !== before) part = 1
      const news = tabs.takeNews().map((line) => `${line}\n`)
      return `${news.join('')}Address: ${view.url}\nTitle: ${view.title}\n\n${partOf(view.outline, part)}`
    },
    outline: () => view.outline,
    /** The element of the last outline; rejects unknown refs. */
    element(ref: string) {
      // Without this, the driver would wait for an element that never appears.
      if (!hasRef(view.outline, ref)) throw new Refusal(`There is no element ${ref} in the latest outline.`)
      return tabs.current().getByRef(ref)
    },
    /** Which part of a long outline is shown from now on. */
    showPart(chosen: number) {
      part = chosen
    },
  }
}

/** The driver's messages contain page text, and a log whose last lines are the most useful. */
function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the driver colours its messages for terminals
  const lines = text.replaceAll(/\u001b\[\d+m/g, '').split('\n')
  return [...new Set([lines[0], ...lines.slice(-3)])].join('\n').slice(0, 600)
}
