import { serveThread } from '../../platform/child/serve-requests.ts'
import { buffersIn } from './carry.ts'
import type { ThreadOrder } from './messages.ts'
import { orderKinds } from './orders/all.ts'

// The next order comes when this one is answered.
serveThread(async (order: ThreadOrder, { afterReply }) => {
  try {
    const { run } = await orderKinds[order.kind].load()
    // The list has the module of each kind under the name of the kind.
    const { done, afterwards } = await run(order as never)
    if (afterwards) afterReply(afterwards)
    return done
  } finally {
    afterReply(() => order.kind === 'read' && order.later?.close())
  }
}, buffersIn)
