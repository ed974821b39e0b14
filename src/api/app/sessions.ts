import type { Team } from '../../accounts/team.ts'
import { type InteractRequest, interact, stopInteracting } from '../../features/interact/interact.ts'
import type { Deps } from '../../features/needs.ts'
import type { OpenBrowser } from '../../features/sessions/browser.ts'
import { locateSession } from '../../features/sessions/locate-session.ts'
import { createSessionRegistry } from '../../features/sessions/registry.ts'
import type { ExecuteRequest, SessionRequest } from '../../features/sessions/schema.ts'
import { createSessionRouter, type RunAgent } from '../../features/sessions/session-router.ts'
import {
  createSession,
  endSession,
  executeInSession,
  findTeamSession,
  type Purpose,
  sessionDetails,
  sessionLinks,
  teamSessions,
} from '../../features/sessions/sessions.ts'
import type { PeerClient } from '../../fetch/network/peer.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { RunDeps } from '../../jobs/run-job.ts'
import { AppError } from '../../platform/errors.ts'
import type { SessionRow } from '../../store/sessions.ts'

export interface SessionSetup {
  browsers: OpenBrowser
  agent: RunAgent | undefined
  peers: PeerClient
  /** URL under which other processes reach this one. */
  peerUrl: () => string
  teamBrowsers: number
  sessionMemory: { eachMegabytes: number; totalMegabytes: number }
}

interface SessionUseCaseDeps extends RunDeps, Pick<Deps, 'profiles' | 'publicUrl'> {
  sessions: SessionSetup
}

export function sessionUseCases(useCaseDeps: SessionUseCaseDeps, queue: Queue) {
  const sessionDeps = { ...useCaseDeps, ...useCaseDeps.sessions }
  const registry = createSessionRegistry(sessionDeps)
  const router = createSessionRouter({ ...sessionDeps, registry })
  const links = sessionLinks(sessionDeps)
  const deps = {
    ...sessionDeps,
    registry,
    router,
    links,
    queue,
    hasModel: sessionDeps.agent !== undefined,
  }
  return {
    create: (team: Team, request: SessionRequest) => createSession(deps, team, request),
    list: (team: Team, status: SessionRow['status'] | undefined) => teamSessions(deps, team, status),
    details: (team: Team, id: string) => sessionDetails(deps, team, id),
    execute: (team: Team, call: { id: string; request: ExecuteRequest }, signal: AbortSignal) =>
      executeInSession(deps, team, call, signal),
    async end(team: Team, id: string, signal: AbortSignal) {
      return endSession(deps, team, await findTeamSession(deps, team, id), signal)
    },
    /** Always throws REPLAY_NOT_FOUND or the error of an unknown session, because sessions are never recorded. */
    async recording(team: Team, id: string): Promise<never> {
      await findTeamSession(deps, team, id)
      throw new AppError('REPLAY_NOT_FOUND')
    },
    profiles: (team: Team) => useCaseDeps.profiles.list(team.id),
    async forgetProfile(team: Team, name: string): Promise<void> {
      await useCaseDeps.profiles.delete(team.id, name)
    },

    interact: (team: Team, call: { scrapeId: string; request: InteractRequest }, signal: AbortSignal) =>
      interact(deps, team, call, signal),
    stopInteracting: (team: Team, scrapeId: string, signal: AbortSignal) =>
      stopInteracting(deps, team, scrapeId, signal),

    /** Handles requests of other processes. */
    servePeer: router.serve,
    assertPeer: router.assertPeer,
    locate: (request: { purpose: Purpose; id: string; token: string; holder: string | undefined }) =>
      locateSession(deps, request),
    open: registry.open,
    stop: registry.stop,
  }
}
