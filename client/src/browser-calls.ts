import { apiPath } from './api-path.ts'
import { BrowserSession, type SessionEnd } from './browser-session.ts'
import { read, workTimeout } from './call-defaults.ts'
import type { InteractOptions, OpenBrowserOptions } from './method-types.ts'
import type { CallOptions, Transport } from './transport.ts'
import type { GetBrowserByIdResponse, InteractResult, PostBrowserResponse } from './types.ts'

const openBrowserMs = 60_000
const defaultCodeSeconds = 30
const defaultPromptSeconds = 240

export async function openBrowser(
  transport: Transport,
  options: OpenBrowserOptions,
  call: CallOptions,
): Promise<BrowserSession> {
  const path = '/v2/browser'
  const timeoutMs = workTimeout(openBrowserMs)
  const session = await transport.call(
    { method: 'POST', path, body: options, retry: 'unstarted', timeoutMs },
    call,
  )
  return new BrowserSession(transport, session as PostBrowserResponse)
}

export async function findBrowser(
  transport: Transport,
  id: string,
  call: CallOptions,
): Promise<BrowserSession> {
  const path = apiPath('/v2/browser/{id}', { id })
  return new BrowserSession(transport, await read<GetBrowserByIdResponse>(transport, path, {}, call))
}

export async function interact(
  transport: Transport,
  scrapeId: string,
  options: InteractOptions,
  call: CallOptions,
): Promise<InteractResult> {
  const seconds =
    options.timeout ?? (options.prompt === undefined ? defaultCodeSeconds : defaultPromptSeconds)
  // The time limit of the code does not include opening the page.
  const timeoutMs = workTimeout(seconds * 1000 + openBrowserMs)
  const path = interactPath(scrapeId)
  const response = await transport.call(
    { method: 'POST', path, body: options, retry: 'unstarted', timeoutMs },
    call,
  )
  return response as InteractResult
}

export async function stopInteract(
  transport: Transport,
  scrapeId: string,
  call: CallOptions,
): Promise<SessionEnd> {
  const path = interactPath(scrapeId)
  const response = await transport.call({ method: 'DELETE', path, retry: 'always' }, call)
  const { success: _, ...sessionEnd } = response
  return sessionEnd as SessionEnd
}

function interactPath(scrapeId: string): string {
  return apiPath('/v2/scrape/{scrapeId}/interact', { scrapeId })
}
