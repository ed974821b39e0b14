import { startService, temporaryFolder } from '../../test/service.ts'
import { createTeams } from '../../test/teams.ts'
import type { Caller } from './call.ts'
import { type EnvironmentName, settingsOf } from './environments.ts'

const key = 'fc-bench-key'

export interface Services {
  /** A new team in a service with these settings. */
  team(environment: EnvironmentName): Promise<Caller>
  stop(): Promise<void>
}

/** A service for each environment, started when it is first needed. */
export function createServices(): Services {
  const started = new Map<EnvironmentName, ReturnType<typeof start>>()
  let teams = 0
  // One at a time: each opens the store of a service that writes to it.
  let turn: Promise<unknown> = Promise.resolve()
  return {
    async team(environment) {
      const starting = started.get(environment) ?? start(environment)
      started.set(environment, starting)
      const { service, settings } = await starting
      teams += 1
      const name = `team ${teams}`
      const made = turn.then(() => createTeams(settings, [name]))
      turn = made.catch(() => undefined)
      return { base: service.url, key: (await made)[name] ?? '' }
    },
    async stop() {
      for (const starting of started.values()) {
        const { service, folder } = await starting
        await service.stop()
        folder.remove()
      }
    },
  }
}

async function start(environment: EnvironmentName) {
  const folder = temporaryFolder()
  const settings = { ...settingsOf(environment), DATA_DIR: folder.path, API_KEY: key }
  return { service: await startService(settings), settings, folder }
}
