import type { WebSocket } from 'ws'
import { AppError } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { findSession, findSessionKey } from '../../store/sessions.ts'
import type { Deps } from '../needs.ts'
import type { SessionBrowser } from './browser.ts'
import type { SessionRegistry } from './registry.ts'
import { type Purpose, type SessionLinks, throwIfEnded } from './sessions.ts'

/**
 * The process at which a client joins a session. `keyId`: the key that opened the session. Addresses of the session stop
 * working with it, so that the holder of a revoked key cannot keep a browser.
 */
export type SessionLocation = { teamId: string; keyId: string | null } & (
  | { isHere: true; join(socket: WebSocket): void }
  | { isHere: false; url: string; holder: string }
)

const keyRevoked =
  'The key that opened this session was revoked, and the addresses of the session with it. Open another session with a key that works.'

export interface SessionLocationDeps extends Pick<Deps, 'store' | 'holder'> {
  registry: SessionRegistry
  links: SessionLinks
}

/**
 * Finds the session behind an address, if its token is genuine. `holder` is who a process that forwards believes to have it:
 * nothing is forwarded twice.
 */
export async function locateSession(
  deps: SessionLocationDeps,
  asked: { purpose: Purpose; id: string; token: string; holder: string | undefined },
): Promise<SessionLocation> {
  const { purpose, id } = asked
  if (!(isUuid(id) && (await deps.links.isGenuine(purpose, id, asked.token)))) {
    throw new AppError('UNAUTHORIZED', {}, { message: 'The token is not valid for this session.' })
  }
  const session = await findSession(deps.store.query, id)
  if (!session) throw new AppError('SESSION_NOT_FOUND')
  throwIfEnded(session)
  if (purpose !== 'cdp' && session.stream_web_view === 0) {
    throw new AppError('FORBIDDEN', {}, { message: 'This session is not streamed (streamWebView: false).' })
  }
  const key = await findSessionKey(deps.store.query, id)
  if (key.isRevoked) throw new AppError('UNAUTHORIZED', {}, { message: keyRevoked })
  const owner = { teamId: session.team_id, keyId: key.id }
  if (session.holder !== deps.holder.id) {
    if (asked.holder !== undefined) throw new AppError('SESSION_DESTROYED')
    return { ...owner, isHere: false, url: session.home, holder: session.holder }
  }
  const living = deps.registry.find(id)
  if (!living) throw new AppError('SESSION_DESTROYED')
  const browser = await living.browser()
  return {
    ...owner,
    isHere: true,
    join(socket) {
      const leave = () => socket.close(1001, 'The session has ended.')
      living.over.addEventListener('abort', leave, { once: true })
      socket.once('close', () => living.over.removeEventListener('abort', leave))
      joined(browser, purpose, socket)
    },
  }
}

function joined(browser: SessionBrowser, purpose: Purpose, socket: WebSocket): void {
  if (purpose === 'cdp') browser.serveCdp(socket)
  else browser.show(socket, { isInteractive: purpose === 'control' })
}
