import { once } from 'node:events'
import type { PermitOwner, Permits } from '../platform/permits.ts'

/** The messages between a converter process and its parent about the OCR programs that it starts. */
export type OcrTurnRequest = { wantsRecogniser: number } | { hasRecognised: number }
export type OcrTurnGrant = { mayRecognise: number }

/** More than any file requests; a process that exceeds it is broken. */
const maxRequested = 64

interface RecogniserTurns {
  permits: Permits
  who: PermitOwner
  grant(granted: OcrTurnGrant): void
}

/**
 * OCR uses whole cores, and one file may want many: so a process asks before each program, and all files of all teams share the
 * permits. Everything that a file still holds or waits for ends with the work on the file.
 */
export async function withOcrTurns<Result>(
  { permits, who, grant }: RecogniserTurns,
  work: (hear: (ask: OcrTurnRequest) => void) => Promise<Result>,
): Promise<Result> {
  const asked = new Map<number, AbortController>()

  function end(number: number): void {
    asked.get(number)?.abort()
    asked.delete(number)
  }

  function hear(ask: OcrTurnRequest): void {
    if ('hasRecognised' in ask) end(ask.hasRecognised)
    else if (asked.size < maxRequested && !asked.has(ask.wantsRecogniser)) waitFor(ask.wantsRecogniser)
  }

  function waitFor(number: number): void {
    const ended = new AbortController()
    asked.set(number, ended)
    const recognise = async () => {
      const over = once(ended.signal, 'abort')
      grant({ mayRecognise: number })
      await over
    }
    // A process that gives up while it waits needs no answer.
    permits.run(who, ended.signal, recognise).catch(() => undefined)
  }

  try {
    return await work(hear)
  } finally {
    for (const number of [...asked.keys()]) end(number)
  }
}
