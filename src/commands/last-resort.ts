import type { Log } from '../base/log.ts'

/** What runs may end within this time; whatever else is broken, the process is gone then. */
const patience = 5000

/**
 * For what was thrown where nobody caught it: a bug, after which nothing in this process is sure. It takes no new calls, lets
 * those that run end, gives its leases back and exits, so that whoever watches over it starts it anew. What had not ended is
 * taken over by the next process, as after a power cut.
 */
export function installLastResort(service: {
  log: Log
  stop(withinMs: number, how: { isCrash: boolean }): Promise<void>
}): void {
  let isEnding = false
  process.on('uncaughtException', (cause, origin) => {
    service.log.error({ cause, origin }, 'an error that nobody caught; the service ends, to be started anew')
    if (isEnding) return
    isEnding = true
    const exit = () => process.exit(1)
    setTimeout(exit, 2 * patience)
    service.stop(patience, { isCrash: true }).then(exit, (failure) => {
      service.log.error({ cause: failure }, 'the service could not be stopped in order')
      exit()
    })
  })
}
