import { threadId } from 'node:worker_threads'
import { serveThread } from '../src/platform/child/serve-requests.ts'
import { AppError } from '../src/platform/errors.ts'

/** Requests that the script for tests of threads supports. */
export type ThreadRequest =
  | { kind: 'echo'; value: string }
  | { kind: 'wait'; ms: number }
  | { kind: 'block' }
  | { kind: 'exit' }
  | { kind: 'refuse' }
  | { kind: 'throw'; message: string }
  | { kind: 'throw-later' }
  | { kind: 'hoard' }
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> }

serveThread(
  async (request: ThreadRequest, { notify, afterReply }) => {
    notify('begun')
    const facts = { threadId, value: request.kind, bytes: new Uint8Array() }
    if (request.kind === 'echo') return { ...facts, value: request.value }
    if (request.kind === 'exit') process.exit(1)
    if (request.kind === 'refuse') throw new AppError('SCRAPE_TIMEOUT', { phase: 'render' })
    if (request.kind === 'throw') throw new TypeError(request.message)
    if (request.kind === 'block') for (;;);
    if (request.kind === 'hoard') for (const hoard: object[] = []; ; ) hoard.push(Array(1000).fill({}))
    if (request.kind === 'bytes') return { ...facts, bytes: request.bytes }
    if (request.kind === 'wait') await new Promise((resolve) => setTimeout(resolve, request.ms))
    if (request.kind === 'throw-later')
      afterReply(() => {
        throw new Error('after the reply')
      })
    return facts
  },
  ({ bytes }) => [bytes.buffer],
)
