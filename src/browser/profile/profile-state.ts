import type { BrowserContext, Frame, Page as Tab } from 'playwright-core'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import { largestState } from './encrypt-state.ts'

/** Cookies, local storage and databases of a context, as the driver writes them. */
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

export const emptyState: StorageState = { cookies: [], origins: [] }

/** Origins that the driver of a context has seen itself, and reads automatically. */
const seenOrigins = new WeakMap<BrowserContext, Set<string>>()

/** Receives what could not be restored or read, as a sentence for the caller. */
type OnLoss = (what: string) => void

/** Replaces the state of an open context with a saved one. */
export async function restoreState(
  context: BrowserContext,
  state: StorageState,
  onLoss?: OnLoss,
): Promise<void> {
  await context.setStorageState(state).catch(() => restoreInParts(context, state, onLoss))
  const seen = new Set(originsOf(state))
  seenOrigins.set(context, seen)
  const lost = () => onLoss?.('The URL of a page could not be read, so its storage is not saved.')
  const note = (frame: Frame) => originOf(frame.url()).forEach((origin) => void seen.add(origin))
  const follow = (tab: Tab) => tab.on('framenavigated', listener(note, lost))
  context.on('page', listener(follow, lost))
}

/** A site can store data that the browser then refuses to restore. One such cookie or database must not affect all others. */
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
  let refused = 0
  for (const cookie of cookies) await context.addCookies([cookie]).catch(() => (refused += 1))
  if (refused > 0) onLoss?.(`${refused} cookies of the profile could not be restored.`)
}

export interface ReadOptions {
  /** The initial state of the context, if another driver restored it: data of unvisited origins must not get lost. */
  known?: StorageState | undefined
  onLoss?: OnLoss
  /** How long pages may take to return their storage; each origin gets half a second more. */
  patienceMs?: number
  /** Maximum disk size of the databases, which may be several times their content. */
  maxBytes?: number
}

/** Reads the state of a context: of restored, visited and open origins. */
export async function readState(context: BrowserContext, options: ReadOptions = {}): Promise<StorageState> {
  const { known = emptyState, onLoss, patienceMs = 10_000, maxBytes = 4 * largestState } = options
  const seen = seenOrigins.get(context) ?? new Set()
  const open = context.pages().flatMap((tab) => tab.frames().flatMap((frame) => originOf(frame.url())))
  const wanted = new Set([...open, ...originsOf(known)])
  const unseen = [...wanted].filter((origin) => !seen.has(origin))
  const origins = new Set([...seen, ...wanted])
  const patience = patienceMs + 500 * origins.size
  const read = async (): Promise<StorageState> => {
    await refuseTooLarge(context, origins, maxBytes)
    if (unseen.length > 0) await visit(context, unseen)
    return context.storageState({ indexedDB: true })
  }
  try {
    return await within(patience, read())
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    // A page that hangs does not return its storage. Without open pages, a blank page of the same origin returns it.
    await closePages(context)
  }
  return within(patience, read()).catch(async (cause) => {
    if (cause instanceof AppError) throw cause
    onLoss?.('Databases (IndexedDB) of the page could not be read; cookies and local storage were saved.')
    return within(patience, context.storageState())
  })
}

/** Only the disk limits the storage of an origin, and all of it would pass through our memory. */
async function refuseTooLarge(
  context: BrowserContext,
  origins: Set<string>,
  maxBytes: number,
): Promise<void> {
  if (origins.size === 0) return
  const tab = context.pages()[0]
  const asked = tab ?? (await context.newPage())
  try {
    const session = await context.newCDPSession(asked)
    let bytes = 0
    for (const origin of origins) {
      const { usageBreakdown } = await session.send('Storage.getUsageAndQuota', { origin })
      for (const { storageType, usage } of usageBreakdown) if (storageType === 'indexeddb') bytes += usage
    }
    await session.detach()
    if (bytes > maxBytes) throw new AppError('PROFILE_TOO_LARGE', { bytes })
  } finally {
    if (!tab) await asked.close()
  }
}

/** The driver reads origins of which it has seen a page: a blank one is enough, without a request to the site. */
async function visit(context: BrowserContext, origins: string[]): Promise<void> {
  const tab = await context.newPage()
  try {
    await tab.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
    for (const origin of origins) await tab.goto(origin)
  } finally {
    await tab.close()
  }
}

async function closePages(context: BrowserContext): Promise<void> {
  await within(5000, Promise.all(context.pages().map((tab) => tab.close()))).catch(() => undefined)
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The pages did not answer in time.')), milliseconds)
  })
  // It may fail after the result is no longer needed.
  work.catch(() => undefined)
  return Promise.race([work, patience]).finally(() => clearTimeout(timer))
}

function originsOf(state: StorageState): string[] {
  return state.origins.map(({ origin }) => origin)
}

/** The origin, if it can have storage. */
function originOf(url: string): string[] {
  const { protocol, origin } = URL.parse(url) ?? {}
  return origin !== undefined && (protocol === 'http:' || protocol === 'https:') ? [origin] : []
}
