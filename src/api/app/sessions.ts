import type { Team } from '../../accounts/team.ts'
import { interact, stopInteracting } from '../../features/interact/interact.ts'
import { createSessionRegistry } from '../../features/sessions/registry.ts'
import { createSessionRouter } from '../../features/sessions/session-router.ts'
import {
  createSession,
  endSession,
  executeInSession,
  findTeamSession,
  locateSession,
  sessionDetails,
  sessionLinks,
  teamSessions,
} from '../../features/sessions/sessions.ts'
import { AppError } from '../../platform/errors.ts'
import { bindAll, type UseCaseDeps } from './needs.ts'

export function sessionUseCases(useCaseDeps: UseCaseDeps) {
  const { profiles, queue, sessions } = useCaseDeps
  const sessionDeps = { ...useCaseDeps, ...sessions }
  const registry = createSessionRegistry(sessionDeps)
  const router = createSessionRouter({ ...sessionDeps, registry })
  const links = sessionLinks(sessionDeps)
  const deps = { ...sessionDeps, registry, router, links, queue, hasModel: sessionDeps.agent !== undefined }
  return {
    ...bindAll(deps, {
      create: createSession,
      list: teamSessions,
      details: sessionDetails,
      execute: executeInSession,
      interact,
      stopInteracting,
      locate: locateSession,
    }),
    async end(team: Team, id: string, signal: AbortSignal) {
      return endSession(deps, team, await findTeamSession(deps, team, id), signal)
    },
    /** Always throws REPLAY_NOT_FOUND or the error of an unknown session, because sessions are never recorded. */
    async recording(team: Team, id: string): Promise<never> {
      await findTeamSession(deps, team, id)
      throw new AppError('REPLAY_NOT_FOUND')
    },
    profiles: (team: Team) => profiles.list(team.id),
    async forgetProfile(team: Team, name: string): Promise<void> {
      await profiles.delete(team.id, name)
    },

    servePeer: router.serve,
    assertPeer: router.assertPeer,
    countOpen: registry.countOpen,
    stop: registry.stop,
  }
}
