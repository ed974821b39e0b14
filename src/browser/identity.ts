import type { CDPSession, Page } from 'playwright-core'
import { chromeAgent, chromeBrands, chromeVersion, fullChromeBrands } from '../platform/chromium/chrome.ts'
import { listener } from '../platform/functions.ts'
import { tabSession } from './page-script.ts'

interface IdentityOptions {
  isMobile: boolean
  /** In the order of preference. */
  languages: string[]
  /** Of the running browser: its features must match its claimed version. */
  version: string | undefined
}

/** The identity of a browser, the same in every header and for every script, in pages, frames and workers. */
export function browserIdentity({ isMobile, languages, version = chromeVersion }: IdentityOptions) {
  return {
    userAgent: chromeAgent(version, isMobile ? { system: 'Linux; Android 14; Pixel 8', isMobile } : {}),
    // The browser adds the quality values.
    acceptLanguage: languages.filter((language) => /^[a-z0-9-]{1,35}$/i.test(language)).join(','),
    userAgentMetadata: {
      brands: chromeBrands(version),
      fullVersionList: fullChromeBrands(version),
      platform: isMobile ? 'Android' : 'Linux',
      platformVersion: isMobile ? '14.0.0' : '',
      architecture: isMobile ? '' : 'x86',
      model: isMobile ? 'Pixel 8' : '',
      mobile: isMobile,
      bitness: isMobile ? '' : '64',
      wow64: false,
    },
  }
}

type Identity = ReturnType<typeof browserIdentity>

interface Attached {
  sessionId: string
}

/** Network information for pages. The browser itself only measures the connection to our proxy, which has no latency. */
const connection = { offline: false, latency: 50, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }

const attaching = { autoAttach: true, waitForDebuggerOnStart: true, flatten: false }

/**
 * Sets the identity of a tab. Cross-site frames and workers are set one by one, before they start: settings of the
 * tab do not reach them, and the driver would only pass on a part.
 */
export async function applyIdentity(tab: Page, identity: Identity): Promise<void> {
  const { session } = await tabSession(tab)
  session.on(
    'Target.attachedToTarget',
    listener(({ sessionId }: Attached) => introduce(session, [sessionId], identity), ignored),
  )
  session.on(
    'Target.receivedMessageFromTarget',
    listener((received: Received) => followInside(session, received, [], identity), ignored),
  )
  await Promise.all([
    session.send('Emulation.setUserAgentOverride', identity),
    session.send('Target.setAutoAttach', attaching),
    session.send('Network.overrideNetworkState', connection),
  ])
}

interface Received {
  sessionId: string
  message: string
}

/** A frame or a worker, by its path of sessions: the messages of each are nested in those of its owner. */
function introduce(session: CDPSession, way: string[], identity: Identity): void {
  tell(session, way, 'Emulation.setUserAgentOverride', identity)
  tell(session, way, 'Target.setAutoAttach', attaching)
  tell(session, way, 'Runtime.runIfWaitingForDebugger', {})
}

/** Frames have workers, and workers have nested workers. */
const deepest = 4

function followInside(
  session: CDPSession,
  { sessionId, message }: Received,
  way: string[],
  identity: Identity,
): void {
  if (!message.includes('"Target.') || way.length >= deepest) return
  const { method, params } = JSON.parse(message) as { method?: string; params: Attached & Received }
  const inside = [...way, sessionId]
  if (method === 'Target.attachedToTarget') introduce(session, [...inside, params.sessionId], identity)
  if (method === 'Target.receivedMessageFromTarget') followInside(session, params, inside, identity)
}

let last = 0

function tell(session: CDPSession, way: string[], method: string, params: object): void {
  let message: { method: string; params: object } = { method, params }
  for (const sessionId of way.slice(1).reverse())
    message = { method: 'Target.sendMessageToTarget', params: { sessionId, message: numbered(message) } }
  session
    .send('Target.sendMessageToTarget', { sessionId: way[0] ?? '', message: numbered(message) })
    .catch(ignored)
}

function numbered(message: object): string {
  last += 1
  return JSON.stringify({ id: last, ...message })
}

/** It was closed in the meantime. */
const ignored = () => {}
