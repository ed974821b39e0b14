import type { Log } from '../base/log.ts'

/** Running calls may finish within this time; after that the process exits in any case. */
const patience = 5000

/**
 * Handles an uncaught error: a bug, after which the state of this process is unknown. The process accepts no new calls, lets
 * running ones finish, releases its leases and exits, so that its supervisor restarts it. The next process takes over
 * unfinished work, as after a power cut.
 */
export function installLastResort(service: {
  log: Log
  stop(withinMs: number, how: { isCrash: boolean }): Promise<void>
}): void {
  let isEnding = false
  process.on('uncaughtException', (cause, origin) => {
    service.log.error({ cause, origin }, 'uncaught error; the service stops and must be restarted')
    if (isEnding) return
    isEnding = true
    const exit = () => process.exit(1)
    setTimeout(exit, 2 * patience)
    service.stop(patience, { isCrash: true }).then(exit, (failure) => {
      service.log.error({ cause: failure }, 'the service could not be stopped cleanly')
      exit()
    })
  })
}
