import type { BrowserContext, Frame, Page as Tab } from 'playwright-core'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import { maxStateBytes } from './encrypt-state.ts'

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

export const emptyState: StorageState = { cookies: [], origins: [] }

/** The driver has loaded a page of these origins, so it reads their storage automatically. */
const seenOrigins = new WeakMap<BrowserContext, Set<string>>()

type OnLoss = (message: string) => void

export async function restoreState(context: BrowserContext, state: StorageState, onLoss?: OnLoss) {
  await context.setStorageState(state).catch(() => restoreInParts(context, state, onLoss))
  const seen = new Set(getOrigins(state))
  seenOrigins.set(context, seen)
  const onListenerError = () => onLoss?.('The URL of a page could not be read, so its storage is not saved.')
  const onNavigated = (frame: Frame) =>
    toStorageOrigins(frame.url()).forEach((origin) => void seen.add(origin))
  const watchTab = (tab: Tab) => tab.on('framenavigated', listener(onNavigated, onListenerError))
  context.on('page', listener(watchTab, onListenerError))
}

/** A cookie or database that the browser rejects must not prevent restoring the rest. */
async function restoreInParts(
  context: BrowserContext,
  { cookies, origins }: StorageState,
  onLoss?: OnLoss,
): Promise<void> {
  try {
    await context.setStorageState({ cookies: [], origins })
  } catch {
    const textOnly = origins.map(({ origin, localStorage }) => ({ origin, localStorage }))
    await context.setStorageState({ cookies: [], origins: textOnly }).catch((cause) => {
      throw new AppError('PROFILE_UNREADABLE', { phase: 'restore' }, { cause })
    })
    onLoss?.('Databases (IndexedDB) of the profile could not be restored.')
  }
  let failedCount = 0
  for (const cookie of cookies) await context.addCookies([cookie]).catch(() => (failedCount += 1))
  if (failedCount > 0) onLoss?.(`${failedCount} cookies of the profile could not be restored.`)
}

interface ReadOptions {
  /** State that another driver restored: the data of origins that were not visited must be kept. */
  known?: StorageState | undefined
  onLoss?: OnLoss
  /** Time in which pages must return their storage; each origin adds half a second. */
  baseTimeoutMs?: number
  /** On disk, which may be several times the content of the databases. */
  maxBytes?: number
}

export async function readState(context: BrowserContext, options: ReadOptions = {}): Promise<StorageState> {
  const { known = emptyState, onLoss, baseTimeoutMs = 10_000, maxBytes = 4 * maxStateBytes } = options
  const seen = seenOrigins.get(context) ?? new Set()
  const frames = context.pages().flatMap((tab) => tab.frames())
  const openOrigins = frames.flatMap((frame) => toStorageOrigins(frame.url()))
  const currentOrigins = new Set([...openOrigins, ...getOrigins(known)])
  const unseen = [...currentOrigins].filter((origin) => !seen.has(origin))
  const origins = new Set([...seen, ...currentOrigins])
  const timeoutMs = baseTimeoutMs + 500 * origins.size
  const readStorage = async (): Promise<StorageState> => {
    await assertStorageSize(context, origins, maxBytes)
    if (unseen.length > 0) await visitOrigins(context, unseen)
    return context.storageState({ indexedDB: true })
  }
  try {
    return await withTimeout(timeoutMs, readStorage())
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    // A page that hangs does not return its storage. Without open pages, a blank page of the same origin returns it.
    const closing = Promise.all(context.pages().map((tab) => tab.close()))
    await withTimeout(5000, closing).catch(() => undefined)
  }
  return withTimeout(timeoutMs, readStorage()).catch(async (cause) => {
    if (cause instanceof AppError) throw cause
    onLoss?.('Databases (IndexedDB) of the page could not be read; cookies and local storage were saved.')
    return withTimeout(timeoutMs, context.storageState())
  })
}

async function assertStorageSize(context: BrowserContext, origins: Set<string>, maxBytes: number) {
  if (origins.size === 0) return
  const tab = context.pages()[0]
  const probeTab = tab ?? (await context.newPage())
  try {
    const session = await context.newCDPSession(probeTab)
    let bytes = 0
    for (const origin of origins) {
      const { usageBreakdown } = await session.send('Storage.getUsageAndQuota', { origin })
      for (const { storageType, usage } of usageBreakdown) if (storageType === 'indexeddb') bytes += usage
    }
    await session.detach()
    if (bytes > maxBytes) throw new AppError('PROFILE_TOO_LARGE', { bytes })
  } finally {
    if (!tab) await probeTab.close()
  }
}

/** The driver only reads origins of which it has seen a page, so a blank one is opened without a request. */
async function visitOrigins(context: BrowserContext, origins: string[]): Promise<void> {
  const tab = await context.newPage()
  try {
    await tab.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
    for (const origin of origins) await tab.goto(origin)
  } finally {
    await tab.close()
  }
}

async function withTimeout<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The pages did not answer in time.')), milliseconds)
  work.catch(() => undefined)
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

const getOrigins = (state: StorageState) => state.origins.map(({ origin }) => origin)

function toStorageOrigins(url: string): string[] {
  const { protocol, origin } = URL.parse(url) ?? {}
  return origin !== undefined && (protocol === 'http:' || protocol === 'https:') ? [origin] : []
}
