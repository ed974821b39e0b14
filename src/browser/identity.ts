import type { CDPSession, Page } from 'playwright-core'
import { type Brand, chromeAgent, chromeBrands, fullChromeBrands } from '../base/chrome-names.ts'
import { chromeVersion } from '../base/chrome-version.ts'
import { listener } from '../base/listener.ts'
import { tabSession } from './tab-session.ts'

/** What a browser says of itself, in every header and to every script, of pages, frames and workers alike. */
export interface Identity {
  userAgent: string
  acceptLanguage: string
  userAgentMetadata: {
    brands: Brand[]
    fullVersionList: Brand[]
    platform: string
    platformVersion: string
    architecture: string
    model: string
    mobile: boolean
    bitness: string
    wow64: boolean
  }
}

export interface IdentityWish {
  isMobile: boolean
  /** In the order of preference. */
  languages: string[]
  /** Of the browser that runs: what it can do must fit what it says. */
  version: string | undefined
}

export function identityOf({ isMobile, languages, version = chromeVersion }: IdentityWish): Identity {
  return {
    userAgent: chromeAgent(version, isMobile ? { system: 'Linux; Android 14; Pixel 8', isMobile } : {}),
    // The browser puts the weights to it.
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

interface Attached {
  sessionId: string
}

/** What pages are told of the network. What the browser sees of it is the way to our proxy: no time at all. */
const connection = { offline: false, latency: 50, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }

const attaching = { autoAttach: true, waitForDebuggerOnStart: true, flatten: false }

/**
 * Gives a tab its identity. Frames of other sites and workers are told one by one, before they begin: what is said to the
 * tab does not reach them, and the driver would tell them a part of it only.
 */
export async function takeIdentity(tab: Page, identity: Identity): Promise<void> {
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

/** A frame or a worker, by the way to it: each has its messages inside those of the one it belongs to. */
function introduce(session: CDPSession, way: string[], identity: Identity): void {
  tell(session, way, 'Emulation.setUserAgentOverride', identity)
  tell(session, way, 'Target.setAutoAttach', attaching)
  tell(session, way, 'Runtime.runIfWaitingForDebugger', {})
}

/** Frames have workers, and workers have others. */
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

/** It went away meanwhile. */
const ignored = () => {}
