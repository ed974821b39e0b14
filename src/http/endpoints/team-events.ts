import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { eventStream } from '../event-stream.ts'

export const getTeamEvents = defineEndpoint({
  method: 'GET',
  path: '/v2/team/events',
  summary: 'Follow the jobs of the team as they start and end, as server-sent events',
  tag: 'Team',
  response: z.never(),
  streams: {
    types: ['text/event-stream'],
    description:
      'Events `job`: {id, kind, parentId, state (running, completed, failed, cancelled), target, at, code?}, when a job that a call made starts and ends. Events `progress`: {id, kind, completed, failed, running, queued, at}, when pages of a crawl, a batch or another job of many pages have ended, at most once a second per job. A comment every 15 seconds. Nothing is repeated: who was away reads /v2/team/activity.',
  },
  errors: [],
  handle: ({ app, team, signal, stopping }) =>
    eventStream((hear) => app.teamEvents.join(team.id, hear), AbortSignal.any([signal(), stopping])),
})
