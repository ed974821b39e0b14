import { once } from 'node:events'
import type { PermitOwner, Permits } from '../platform/permits.ts'

/** Messages of a converter process to its parent: the number of a requested or released OCR permit. */
export type OcrPermitRequest = { requestedPermit: number } | { releasedPermit: number }
/** Message of the parent process: the number of the request whose permit is granted. */
export type OcrPermitGrant = { grantedPermit: number }

/** Maximum pending requests, more than any file needs; a process that exceeds it is broken. */
const maxRequested = 64

interface OcrPermitContext {
  permits: Permits
  who: PermitOwner
  grant(granted: OcrPermitGrant): void
}

/**
 * Runs the work on a file, and handles its requests for OCR permits. OCR uses whole cores and one file may need many,
 * so a process requests a permit before each program. All files of all teams share the permits. When the work ends, all
 * permits and pending requests of the file are released.
 */
export async function withOcrPermits<Result>(
  { permits, who, grant }: OcrPermitContext,
  work: (handleRequest: (request: OcrPermitRequest) => void) => Promise<Result>,
): Promise<Result> {
  const controllers = new Map<number, AbortController>()

  function releasePermit(number: number): void {
    controllers.get(number)?.abort()
    controllers.delete(number)
  }

  function handleRequest(request: OcrPermitRequest): void {
    if ('releasedPermit' in request) releasePermit(request.releasedPermit)
    else if (controllers.size < maxRequested && !controllers.has(request.requestedPermit))
      requestPermit(request.requestedPermit)
  }

  function requestPermit(number: number): void {
    const controller = new AbortController()
    controllers.set(number, controller)
    const recognise = async () => {
      const aborted = once(controller.signal, 'abort')
      grant({ grantedPermit: number })
      await aborted
    }
    // A process that gives up while it waits needs no reply.
    permits.run(who, controller.signal, recognise).catch(() => undefined)
  }

  try {
    return await work(handleRequest)
  } finally {
    for (const number of [...controllers.keys()]) releasePermit(number)
  }
}
