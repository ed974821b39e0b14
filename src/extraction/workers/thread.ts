import { serveThread } from '../../platform/child/serve-requests.ts'
import type { WorkerRequest } from './messages.ts'
import { requestKinds } from './requests/all.ts'
import { buffersIn } from './serialize-parts.ts'

// The pool sends the next request after the reply to this one.
serveThread(async (request: WorkerRequest, { afterReply }) => {
  try {
    const { run } = await requestKinds[request.kind].load()
    // `requestKinds` contains the module of each kind under its name.
    const { reply, runAfterReply } = await run(request as never)
    if (runAfterReply) afterReply(runAfterReply)
    return reply
  } finally {
    afterReply(() => request.kind === 'read' && request.later?.close())
  }
}, buffersIn)
