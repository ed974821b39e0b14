import type { CDPSession, Page } from 'playwright-core'
import { chromeAgent, chromeBrands, chromeVersion, fullChromeBrands } from '../platform/chromium/chrome.ts'
import { listener } from '../platform/functions.ts'
import { ignoreError, tabSession } from './page-script.ts'

interface IdentityOptions {
  isMobile: boolean
  languages: string[]
  /** Of the running browser: its features must match its claimed version. */
  version: string | undefined
}

export function browserIdentity({ isMobile, languages, version = chromeVersion }: IdentityOptions) {
  return {
    userAgent: chromeAgent(version, isMobile ? { system: 'Linux; Android 14; Pixel 8', isMobile } : {}),
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

/** Reported to pages. The browser itself only measures the connection to the egress proxy, which has no latency. */
const networkConditions = {
  offline: false,
  latency: 50,
  downloadThroughput: 1_250_000,
  uploadThroughput: 1_250_000,
}

const autoAttachOptions = { autoAttach: true, waitForDebuggerOnStart: true, flatten: false }

/** Settings of the tab do not apply to cross-site frames and workers, so these are set before they start. */
export async function applyIdentity(tab: Page, identity: Identity): Promise<void> {
  const { session } = await tabSession(tab)
  const onAttached = ({ sessionId }: { sessionId: string }) =>
    initialiseTarget(session, [sessionId], identity)
  session.on('Target.attachedToTarget', listener(onAttached, ignoreError))
  const onMessage = (event: MessageFromTargetEvent) => handleNestedMessage(session, event, [], identity)
  session.on('Target.receivedMessageFromTarget', listener(onMessage, ignoreError))
  await Promise.all([
    session.send('Emulation.setUserAgentOverride', identity),
    session.send('Target.setAutoAttach', autoAttachOptions),
    session.send('Network.overrideNetworkState', networkConditions),
  ])
}

type MessageFromTargetEvent = Record<'sessionId' | 'message', string>

function initialiseTarget(session: CDPSession, sessionPath: string[], identity: Identity): void {
  sendNested(session, sessionPath, 'Emulation.setUserAgentOverride', identity)
  sendNested(session, sessionPath, 'Target.setAutoAttach', autoAttachOptions)
  sendNested(session, sessionPath, 'Runtime.runIfWaitingForDebugger', {})
}

const maxDepth = 4

function handleNestedMessage(
  session: CDPSession,
  { sessionId, message }: MessageFromTargetEvent,
  sessionPath: string[],
  identity: Identity,
): void {
  if (!message.includes('"Target.') || sessionPath.length >= maxDepth) return
  const { method, params } = JSON.parse(message) as { method?: string; params: MessageFromTargetEvent }
  const childPath = [...sessionPath, sessionId]
  if (method === 'Target.attachedToTarget')
    initialiseTarget(session, [...childPath, params.sessionId], identity)
  if (method === 'Target.receivedMessageFromTarget') handleNestedMessage(session, params, childPath, identity)
}

let lastMessageId = 0

function sendNested(session: CDPSession, sessionPath: string[], method: string, params: object): void {
  let message: { method: string; params: object } = { method, params }
  for (const sessionId of sessionPath.slice(1).reverse())
    message = { method: 'Target.sendMessageToTarget', params: { sessionId, message: withId(message) } }
  session
    .send('Target.sendMessageToTarget', { sessionId: sessionPath[0] ?? '', message: withId(message) })
    .catch(ignoreError)
}

function withId(message: object): string {
  lastMessageId += 1
  return JSON.stringify({ id: lastMessageId, ...message })
}
