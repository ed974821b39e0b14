import type { WebSocket } from 'ws'
import { AppError } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { findSession, findSessionKey } from '../../store/sessions.ts'
import type { Deps } from '../needs.ts'
import type { SessionBrowser } from './browser.ts'
import type { SessionRegistry } from './registry.ts'
import { type Purpose, type SessionLinks, throwIfEnded } from './sessions.ts'

/** Owner process of a session to which a client connects. `keyId` is the key that opened the session. */
type SessionLocation = { teamId: string; keyId: string | null } & (
  | { isHere: true; join(socket: WebSocket): void }
  | { isHere: false; url: string; holder: string }
)

const keyRevokedMessage =
  'The key that opened this session was revoked, and the addresses of the session with it. Open another session with a key that works.'

interface SessionLocationDeps extends Pick<Deps, 'store' | 'holder'> {
  registry: SessionRegistry
  links: SessionLinks
}

/** Finds the session of a URL. `holder` is set by a process that forwards: a request is never forwarded twice. */
export async function locateSession(
  deps: SessionLocationDeps,
  access: { purpose: Purpose; id: string; token: string; holder: string | undefined },
): Promise<SessionLocation> {
  const { purpose, id } = access
  if (!(isUuid(id) && (await deps.links.verify(purpose, id, access.token)))) {
    throw new AppError('UNAUTHORIZED', {}, { message: 'The token is not valid for this session.' })
  }
  const session = await findSession(deps.store.query, id)
  if (!session) throw new AppError('SESSION_NOT_FOUND')
  throwIfEnded(session)
  if (purpose !== 'cdp' && session.stream_web_view === 0) {
    throw new AppError('FORBIDDEN', {}, { message: 'This session is not streamed (streamWebView: false).' })
  }
  const key = await findSessionKey(deps.store.query, id)
  if (key.isRevoked) throw new AppError('UNAUTHORIZED', {}, { message: keyRevokedMessage })
  const owner = { teamId: session.team_id, keyId: key.id }
  if (session.holder !== deps.holder.id) {
    if (access.holder !== undefined) throw new AppError('SESSION_DESTROYED')
    return { ...owner, isHere: false, url: session.home, holder: session.holder }
  }
  const activeSession = deps.registry.find(id)
  if (!activeSession) throw new AppError('SESSION_DESTROYED')
  const browser = await activeSession.browser()
  return {
    ...owner,
    isHere: true,
    join(socket) {
      const closeSocket = () => socket.close(1001, 'The session has ended.')
      activeSession.endSignal.addEventListener('abort', closeSocket, { once: true })
      socket.once('close', () => activeSession.endSignal.removeEventListener('abort', closeSocket))
      attachSocket(browser, purpose, socket)
    },
  }
}

function attachSocket(browser: SessionBrowser, purpose: Purpose, socket: WebSocket): void {
  if (purpose === 'cdp') browser.serveCdp(socket)
  else browser.show(socket, { isInteractive: purpose === 'control' })
}
