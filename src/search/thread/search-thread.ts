import { Child, ChildError } from '../../platform/child/child.ts'
import { type ThreadOptions, threadProgram } from '../../platform/child/thread-program.ts'
import { untilAborted } from '../../platform/functions.ts'
import type { Log } from '../../platform/log.ts'
import { SharedResource } from '../../platform/shared-resource.ts'
import type { SearchRequest, SearchResults } from './serve.ts'

/** Index work never runs in the thread that handles requests. */
export type SearchThread = ReturnType<typeof createSearchThread>

type SearchThreadOptions = Omit<ThreadOptions, 'name' | 'environment'> & { idleMs: number }

export function createSearchThread({ idleMs, ...options }: SearchThreadOptions, log: Log) {
  // `data` contains the location of the store, and the thread needs no environment variables of the service.
  const program = threadProgram({ name: 'search-index', environment: {}, ...options })
  const threads = new SharedResource<Child>({
    async start() {
      const thread = new Child(program, (cause, isBusy) => {
        if (isBusy) log.warn({ cause }, 'the thread of the search index has died')
        if (cause.reason !== 'stopped') threads.markLost(thread)
      })
      return thread
    },
    async end(thread) {
      await thread.end('stopped')
    },
    idleMs,
    stopped: () => new ChildError('stopped', 'The search-index thread was stopped.'),
  })
  return {
    async ask<Request extends SearchRequest>(request: Request, signal?: AbortSignal) {
      signal?.throwIfAborted()
      const { resource: thread, release } = await threads.acquire()
      const reply = thread.request(request)
      // The thread works on the request even if the caller has left, so it is not idle before its reply.
      reply.then(release, release)
      return (await (signal ? untilAborted(reply, signal) : reply)) as SearchResults[Request['kind']]
    },
    // All state of the thread is on disk, so it may end at any time.
    stop: () => threads.endAll(),
  }
}
