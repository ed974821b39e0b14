import { once } from 'node:events'
import type { PermitOwner, Permits } from '../platform/permits.ts'

export type OcrPermitRequest = { requestedPermit: number } | { releasedPermit: number }
export type OcrPermitGrant = { grantedPermit: number }

/** More than any file needs; a process that exceeds it is broken. */
const maxRequested = 64

/** An OCR program uses a whole core and a file may need many, so a process requests a permit for each. */
export async function withOcrPermits<Result>(
  { permits, who, grant }: { permits: Permits; who: PermitOwner; grant: (granted: OcrPermitGrant) => void },
  work: (handleRequest: (request: OcrPermitRequest) => void) => Promise<Result>,
): Promise<Result> {
  const controllers = new Map<number, AbortController>()

  function releasePermit(number: number): void {
    controllers.get(number)?.abort()
    controllers.delete(number)
  }

  function handleRequest(request: OcrPermitRequest): void {
    if ('releasedPermit' in request) return void releasePermit(request.releasedPermit)
    const number = request.requestedPermit
    if (controllers.size >= maxRequested || controllers.has(number)) return
    const controller = new AbortController()
    controllers.set(number, controller)
    const holdPermit = async () => {
      const aborted = once(controller.signal, 'abort')
      grant({ grantedPermit: number })
      await aborted
    }
    // A process that gives up while it waits needs no reply.
    permits.run(who, controller.signal, holdPermit).catch(() => undefined)
  }

  try {
    return await work(handleRequest)
  } finally {
    for (const number of [...controllers.keys()]) releasePermit(number)
  }
}
