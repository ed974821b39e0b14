import { serveThread } from '../../platform/child/serve-requests.ts'
import type { WorkerRequest } from './messages.ts'
import { requestKinds } from './requests/all.ts'
import { buffersIn } from './serialize-parts.ts'

// The next order comes when this one is answered.
serveThread(async (order: WorkerRequest, { afterReply }) => {
  try {
    const { run } = await requestKinds[order.kind].load()
    // The list has the module of each kind under the name of the kind.
    const { done, afterwards } = await run(order as never)
    if (afterwards) afterReply(afterwards)
    return done
  } finally {
    afterReply(() => order.kind === 'read' && order.later?.close())
  }
}, buffersIn)
