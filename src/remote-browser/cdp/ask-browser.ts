import { connectCaller } from './caller.ts'
import type { CdpSwitch } from './switch.ts'

/** One call of the service to the browser. */
export async function askBrowser<Result>(cdp: CdpSwitch, method: string, params = {}): Promise<Result> {
  const caller = await connectCaller(cdp, { onEvent: () => {}, onClosed: () => {} })
  try {
    return await caller.call<Result>(method, params)
  } finally {
    caller.leave()
  }
}
