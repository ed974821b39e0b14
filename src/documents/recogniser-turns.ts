import { once } from 'node:events'
import type { PermitOwner, Permits } from '../platform/permits.ts'

/** Messages between a converter process and its parent about its OCR programs. */
export type OcrTurnRequest = { wantsRecogniser: number } | { hasRecognised: number }
export type OcrTurnGrant = { mayRecognise: number }

/** Maximum pending requests, more than any file needs; a process that exceeds it is broken. */
const maxRequested = 64

interface RecogniserTurns {
  permits: Permits
  who: PermitOwner
  grant(granted: OcrTurnGrant): void
}

/**
 * Runs the work on a file, and handles its requests for OCR permits. OCR uses whole cores and one file may need many, so a
 * process requests a permit before each program. All files of all teams share the permits. When the work ends, all permits and
 * pending requests of the file are released.
 */
export async function withOcrTurns<Result>(
  { permits, who, grant }: RecogniserTurns,
  work: (handleRequest: (request: OcrTurnRequest) => void) => Promise<Result>,
): Promise<Result> {
  const controllers = new Map<number, AbortController>()

  function endTurn(number: number): void {
    controllers.get(number)?.abort()
    controllers.delete(number)
  }

  function handleRequest(request: OcrTurnRequest): void {
    if ('hasRecognised' in request) endTurn(request.hasRecognised)
    else if (controllers.size < maxRequested && !controllers.has(request.wantsRecogniser))
      requestPermit(request.wantsRecogniser)
  }

  function requestPermit(number: number): void {
    const controller = new AbortController()
    controllers.set(number, controller)
    const recognise = async () => {
      const aborted = once(controller.signal, 'abort')
      grant({ mayRecognise: number })
      await aborted
    }
    // A process that gives up while it waits needs no reply.
    permits.run(who, controller.signal, recognise).catch(() => undefined)
  }

  try {
    return await work(handleRequest)
  } finally {
    for (const number of [...controllers.keys()]) endTurn(number)
  }
}
