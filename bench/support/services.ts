import { startService, temporaryFolder } from '../../test/service.ts'
import { createTeams } from '../../test/teams.ts'
import type { Caller } from './call.ts'
import { type EnvironmentName, settingsOf } from './environments.ts'

const key = 'fc-bench-key'

export interface Services {
  /** Creates a team in a service with these settings. */
  team(environment: EnvironmentName): Promise<Caller>
  stop(): Promise<void>
}

/** Creates services on demand, one for each environment. */
export function createServices(): Services {
  const servicesByEnvironment = new Map<EnvironmentName, ReturnType<typeof start>>()
  let teams = 0
  // Teams are created one after another, because each call opens the store of a running service.
  let lastCreation: Promise<unknown> = Promise.resolve()
  return {
    async team(environment) {
      const startedService = servicesByEnvironment.get(environment) ?? start(environment)
      servicesByEnvironment.set(environment, startedService)
      const { service, settings } = await startedService
      teams += 1
      const name = `team ${teams}`
      const creation = lastCreation.then(() => createTeams(settings, [name]))
      lastCreation = creation.catch(() => undefined)
      return { base: service.url, key: (await creation)[name] ?? '' }
    },
    async stop() {
      for (const startedService of servicesByEnvironment.values()) {
        const { service, folder } = await startedService
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
