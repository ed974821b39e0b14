import type { CDPSession, Frame, Page } from 'playwright-core'
import { writtenFrameMark } from '../content/frame-mark.ts'
import { type FlatOrder, flatHtml } from './flat-html.ts'
import { blockedMark } from './serialise.ts'
import { tabSession } from './tab-session.ts'

/** Maximum number of frames read per page; further ones stay links. */
const mostFrames = 20

/**
 * Reads the cross-origin frames of a page, and stores their text where the serialiser finds it. A frame
 * that cannot be read stays a link.
 */
export async function readForeignFrames(tab: Page, most: number): Promise<void> {
  const own = tab.frames().filter((frame) => frame.parentFrame() === tab.mainFrame())
  const foreign = own.filter((frame) => frame.url().startsWith('http') && isForeign(frame))
  for (const frame of foreign.slice(0, mostFrames)) {
    await readOne(tab, frame, most).catch(() => undefined)
  }
}

function isForeign(frame: Frame): boolean {
  return URL.parse(frame.url())?.origin !== URL.parse(frame.page().url())?.origin
}

async function readOne(tab: Page, frame: Frame, most: number): Promise<void> {
  const { session, frameId } = await tabSession(tab)
  const found = await sessionOf(tab, frame)
  if (!found) return
  const order: FlatOrder = { most, blockedUrls: [], blockedMark, frameMark: writtenFrameMark, isPart: true }
  const text = await readFlat(found, order)
  if (typeof text !== 'string') return
  await session.send('DOM.enable')
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: found.frameId })
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId,
    worldName: 'apart',
  })
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId })
  await session.send('Runtime.callFunctionOn', {
    functionDeclaration: String(keep),
    objectId: object.objectId ?? '',
    arguments: [{ value: text }],
  })
}

interface Found {
  session: CDPSession
  frameId: string
}

/** A frame of another site has its own process and therefore its own session; a frame of the same site uses that of the tab. */
async function sessionOf(tab: Page, frame: Frame): Promise<Found | undefined> {
  const apart = await tab
    .context()
    .newCDPSession(frame)
    .catch(() => undefined)
  if (apart) {
    const { targetInfo } = await apart.send('Target.getTargetInfo')
    return { session: apart, frameId: targetInfo.targetId }
  }
  const { session } = await tabSession(tab)
  const { frameTree } = await session.send('Page.getFrameTree')
  const url = frame.url().replace(/#.*/, '')
  const id = frameTree.childFrames?.find((child) => child.frame.url === url)?.frame.id
  return id === undefined ? undefined : { session, frameId: id }
}

async function readFlat({ session, frameId }: Found, order: FlatOrder): Promise<unknown> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId,
    worldName: 'apart',
  })
  const { result } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: flatHtml.source,
    arguments: [{ value: order }],
    executionContextId,
    returnByValue: true,
  })
  return result.value
}

/** Runs in the page, on the element of a frame. */
function keep(this: Element, text: string): void {
  const world = globalThis as { [name: symbol]: WeakMap<Element, string> }
  const name = Symbol.for('framedTexts')
  world[name] ??= new WeakMap()
  world[name].set(this, text)
}
