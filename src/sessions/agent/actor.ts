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
import { hasRef, nameOfRef, outlinePart, readView, type View } from './look.ts'
import { sitesOfSecrets } from './secret-sites.ts'
import { findSecrets, type Secrets } from './secrets.ts'
import { type AgentTool, RejectedCallError, type Report, type ToolContext } from './tool.ts'
import * as allTools from './tools.ts'

const watches = new WeakMap<Page, NetworkWatch>()

function getWatch(page: Page): NetworkWatch {
  const watch = watches.get(page) ?? watchNetwork(page)
  watches.set(page, watch)
  return watch
}

const maxTabs = 10

/** Tracks the tabs of a task: the first tab, and tabs opened from it. The newest open tab is the current tab. */
function followTabs(first: Page) {
  const tabs: Page[] = []
  const releases: (() => void)[] = []
  const events: string[] = []
  let isAccepting = false
  let pendingTabs = 0
  const report = (text: string) => {
    if (events.length < 10) events.push(text)
  }
  const followTab = (page: Page) => {
    if (releases.length >= maxTabs) return report('Another tab was opened, which is not followed.')
    if (page !== first) {
      pendingTabs = Math.max(0, pendingTabs - 1)
      report('A new tab was opened; it is the current one now.')
    }
    tabs.push(page)
    getWatch(page)
    const onClose = () => {
      tabs.splice(tabs.indexOf(page), 1)
      report('A tab was closed.')
    }
    const onListenerError = () => report('Something happened in a tab that could not be followed.')
    const onDialog = listener(
      async (dialog: Dialog) => report(await handleDialog(dialog, isAccepting)),
      onListenerError,
    )
    const onDownload = listener((download: Download) => {
      const name = JSON.stringify(download.suggestedFilename().slice(0, 100))
      report(`A download of ${name} began; files are not kept.`)
    }, onListenerError)
    const onPopup = listener(followTab, onListenerError)
    page.on('popup', onPopup).on('close', onClose).on('dialog', onDialog).on('download', onDownload)
    const stopWatching = watchWindows(page, () => {
      pendingTabs += 1
    })
    releases.push(() => {
      stopWatching()
      page.off('popup', onPopup).off('close', onClose).off('dialog', onDialog).off('download', onDownload)
    })
  }
  followTab(first)
  const current = () => tabs.at(-1) ?? first
  return {
    current,
    network: () => getWatch(current()),
    /** Waits until the requested tabs are open, up to a limit, because a blocked window never opens. */
    async waitUntilOpened(maxMs: number) {
      const deadline = performance.now() + maxMs
      while (pendingTabs > 0 && performance.now() < deadline) await pause(20)
      pendingTabs = 0
    },
    /** Returns the events since the last call: dialogs, tabs, downloads. Page text in them is quoted. */
    takeEvents: () => events.splice(0),
    acceptDialogs(value: boolean) {
      isAccepting = value
    },
    release() {
      for (const stop of releases) stop()
    },
  }
}

type Tabs = ReturnType<typeof followTabs>

/** The driver reports a window only when it is usable, possibly long after the click. */
function watchWindows(page: Page, onWindowOpen: () => void): () => void {
  const sessionPromise = tabSession(page).then(async ({ session }) => {
    session.on('Page.windowOpen', onWindowOpen)
    await session.send('Page.enable')
    return session
  })
  // A page that is already closed requests no windows, so the error is ignored.
  sessionPromise.catch(() => undefined)
  return () => {
    sessionPromise.then((session) => session.off('Page.windowOpen', onWindowOpen)).catch(() => undefined)
  }
}

/** Accepts alerts and leave confirmations, and declines questions unless the model accepts them. Returns a report. */
async function handleDialog(dialog: Dialog, isAccepting: boolean): Promise<string> {
  const isQuestion = dialog.type() === 'confirm' || dialog.type() === 'prompt'
  const accept = isAccepting || !isQuestion
  const quotedMessage = JSON.stringify(dialog.message().slice(0, 300))
  // Another client of the browser may handle the dialog first; drivers do so automatically.
  const isHandled = await (accept ? dialog.accept() : dialog.dismiss()).then(
    () => true,
    () => false,
  )
  if (!isHandled)
    return `The page asked ${quotedMessage}, which another program on this browser has answered.`
  if (!isQuestion) return `The page showed a message: ${quotedMessage}`
  const decision = accept ? 'accepted' : 'declined; to accept it, click again with acceptDialog'
  return `The page asked ${quotedMessage}, which was ${decision}.`
}

const maxToolMs = 10_000

export function createActor(
  deps: { page: Page; log: Log },
  request: { prompt: string; jobId?: string; remaining(): number },
) {
  const tabs = followTabs(deps.page)
  const observer = createObserver(tabs)
  const allowedSites = findTaskSites(deps.page.url(), request.prompt)
  const secrets = findSecrets(request.prompt)
  const secretSites = sitesOfSecrets(request.prompt, [deps.page.url()])
  const fence = createFence()
  const countRepetitions = createRepetitionCounter()
  const steps = createStepRecord(deps.log, { jobId: request.jobId, secrets })
  const timeoutMs = () => Math.max(1, Math.min(maxToolMs, request.remaining()))
  const { element, showPart } = observer
  const { acceptDialogs } = tabs
  const sharedContext = { allowedSites, secrets, secretSites, element, showPart, acceptDialogs }
  const createToolContext = () => ({ ...sharedContext, page: tabs.current(), timeoutMs: timeoutMs() })
  let isStale = true
  return {
    async run(call: ToolCall) {
      const tool = tools.get(call.name)
      if (!tool) throw new Error(`the tool ${call.name} was not offered, and the port lets no other pass`)
      const hasPageChanged = watchPageChange(tabs.current)
      const repetitions = countRepetitions(call, observer.outline())
      const endStep = steps.begin(call.name, describeCall(tool, call, observer.outline()))
      const result =
        repetitions > 2 ? toRejectedResult(repeatedMessage) : await runTool(tool, call, createToolContext())
      if (tool.changesPage && result.isDone) await waitUntilSettled(tabs, request.remaining)
      isStale ||= tool.changesPage
      endStep(result)
      const pageText = result.pageText === undefined ? '' : `\n${fence(result.pageText)}`
      return {
        report: `${result.outcome}${pageText}`,
        hasPageChanged: hasPageChanged(),
        isLoop: repetitions > 3,
      }
    },
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

const repeatedMessage =
  'Not done: you did exactly this twice on this page, and it looks the same. Do something else, or call done with what you know.'

type ToolResult = Report & { isDone: boolean; summary: string }

const toRejectedResult = (outcome: string): ToolResult => ({ outcome, isDone: false, summary: 'refused' })

async function runTool(tool: AgentTool, call: ToolCall, context: ToolContext): Promise<ToolResult> {
  try {
    return { ...(await tool.run(context, call.arguments)), isDone: true, summary: '' }
  } catch (thrown) {
    if (context.page.isClosed()) return toRejectedResult('The tab was closed.')
    if (thrown instanceof RejectedCallError) return toRejectedResult(thrown.message)
    const failure = { outcome: 'It did not work:', pageText: getReason(thrown), summary: 'did not work' }
    return { ...failure, isDone: false }
  }
}

function describeCall(tool: AgentTool, call: ToolCall, outline: string): string {
  const { ref } = call.arguments
  const text = tool.describe(call.arguments)
  return typeof ref === 'string' ? text.replace(ref, () => nameOfRef(outline, ref)) : text
}

function watchPageChange(current: () => Page): () => boolean {
  const page = current()
  let hasNavigated = false
  const markChanged = () => {
    hasNavigated = true
  }
  // A page that does not respond counts as changed.
  const onNavigated = listener((frame: unknown) => {
    if (frame === page.mainFrame()) markChanged()
  }, markChanged)
  page.on('framenavigated', onNavigated)
  return () => {
    page.off('framenavigated', onNavigated)
    return hasNavigated || current() !== page
  }
}

const effectDelayMs = 150
/** Maximum wait for a stable page (ms): a page that never becomes stable must not use up the time of the task. */
const maxSettleMs = 4000
const maxOpenMs = 3000

async function waitUntilSettled(tabs: Tabs, remaining: () => number): Promise<void> {
  await pause(effectDelayMs)
  await tabs.waitUntilOpened(Math.min(maxOpenMs, remaining()))
  const signal = AbortSignal.timeout(Math.max(1, Math.min(maxSettleMs, remaining())))
  await settle(tabs.current(), { network: tabs.network(), signal }).catch(() => undefined)
}

/** Records the steps, one line each, for the user and for the log. The log contains page text only at level debug. */
function createStepRecord(log: Log, { jobId, secrets }: { jobId: string | undefined; secrets: Secrets }) {
  const lines: string[] = []
  let count = 0
  return {
    count: () => count,
    text: () => lines.join('\n'),
    note: (line: string) => void lines.push(line),
    begin(tool: string, description: string) {
      count += 1
      const step = count
      const began = performance.now()
      return ({ isDone, summary }: ToolResult) => {
        // Redacted after the step, because the tool identifies a password by its field during the step.
        const line = secrets.redact(`${step}. ${tool} ${description}`.trim() + (isDone ? '' : `: ${summary}`))
        lines.push(line)
        const ms = Math.round(performance.now() - began)
        log.info({ jobId, step, tool, isDone, ms }, 'a step of a task')
        log.debug({ jobId, step, line }, 'what the step did')
      }
    },
  }
}

/** Counts how often the same step was done on the same page; a change of the page resets the count. */
function createRepetitionCounter() {
  const counts = new Map<string, number>()
  return (call: ToolCall, outline: string) => {
    // The focus does not count as a change.
    const text = JSON.stringify([call.name, call.arguments, outline.replaceAll(' [active]', '')])
    const key = createHash('sha256').update(text).digest('base64')
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }
}

function createObserver(tabs: Tabs) {
  let view: View = { url: '', title: '', outline: '' }
  let part = 1
  return {
    async look(timeoutMs: number) {
      const page = tabs.current()
      const previousUrl = view.url
      view = await readView(page, timeoutMs).catch((thrown: unknown) => {
        if (page.isClosed()) {
          const message = 'The page was closed while the task was worked on. Open a page and call again.'
          throw new AppError('BROWSER_FAILED', { phase: 'look' }, { message, cause: thrown })
        }
        return { url: page.url(), title: '', outline: `(the page does not answer: ${getReason(thrown)})` }
      })
      if (view.url !== previousUrl) part = 1
      const events = tabs.takeEvents().map((line) => `${line}\n`)
      return `${events.join('')}Address: ${view.url}\nTitle: ${view.title}\n\n${outlinePart(view.outline, part)}`
    },
    outline: () => view.outline,
    element(ref: string) {
      // Without this check, the driver would wait for an element that never appears.
      if (!hasRef(view.outline, ref))
        throw new RejectedCallError(`There is no element ${ref} in the latest outline.`)
      return tabs.current().getByRef(ref)
    },
    showPart(selectedPart: number) {
      part = selectedPart
    },
  }
}

/** Returns the first and the last lines of an error, because the last lines of a driver's log are the most useful. */
function getReason(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the driver colours its messages for terminals
  const lines = text.replaceAll(/\u001b\[\d+m/g, '').split('\n')
  return [...new Set([lines[0], ...lines.slice(-3)])].join('\n').slice(0, 600)
}
