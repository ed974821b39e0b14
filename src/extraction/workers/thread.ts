import { serveThread } from '../../platform/child/serve-requests.ts'
import type { WorkerRequest } from './messages.ts'
import { type RequestKind, requestKinds } from './requests/all.ts'
import { buffersIn } from './serialize-parts.ts'

// The pool sends the next request after the reply to this one.
serveThread(async (request: WorkerRequest, { afterReply }) => {
  try {
    // Each kind has the `run` function of its requests.
    const { run }: RequestKind<never> = requestKinds[request.kind]
    return await run(request as never, afterReply)
  } finally {
    afterReply(() => request.kind === 'read' && request.later?.close())
  }
}, buffersIn)
