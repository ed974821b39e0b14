import { apiPath } from './api-path.ts'
import { cancelJob, createJobFailedError, type StartOptions, startJobIdempotent } from './start-job.ts'
import type { CallOptions, Transport } from './transport.ts'
import type { AgentStatus, ExtractStatus } from './types.ts'
import { createPollDelay, readWithReconnect } from './watch-job.ts'

/** Extract or agent job, which returns its complete result at the end. */
export class DataJob<Status extends ExtractStatus | AgentStatus> {
  readonly id: string
  /** Response of the service to the start; undefined if this object did not start the job. */
  readonly started: Record<string, unknown> | undefined
  readonly #transport: Transport
  readonly #path: string

  constructor(
    transport: Transport,
    kind: 'extract' | 'agent',
    id: string,
    started?: Record<string, unknown>,
  ) {
    this.#transport = transport
    this.#path = apiPath(`/v2/${kind}/{id}`, { id })
    this.id = id
    this.started = started
  }

  /** Returns the current status, also for a failed job. */
  async status(options: CallOptions = {}): Promise<Status> {
    const call = { method: 'GET', path: this.#path, retry: 'always' } as const
    return (await this.#transport.call(call, options)) as unknown as Status
  }

  /** Waits for the result. Throws a JobFailedError if the job fails or is cancelled. */
  async wait(options: CallOptions = {}): Promise<Status> {
    const pollDelay = createPollDelay()
    for (;;) {
      const status = await readWithReconnect(() => this.status(options), options.signal)
      if (status.status === 'completed') return status
      if (status.status !== 'processing') {
        const { status: finalStatus, error, code, ...rest } = status
        const isCancelled =
          finalStatus === 'cancelled' || ('stopReason' in rest && rest.stopReason === 'cancelled')
        throw createJobFailedError(this.id, isCancelled ? 'cancelled' : 'failed', {
          ...rest,
          message: error,
          code,
        })
      }
      await pollDelay.wait(false, options.signal)
    }
  }

  async cancel(options: CallOptions = {}): Promise<void> {
    await cancelJob(this.#transport, this.#path, options)
  }
}

export type ExtractJob = DataJob<ExtractStatus>
export type AgentJob = DataJob<AgentStatus>

export async function startData<Status extends ExtractStatus | AgentStatus>(
  transport: Transport,
  kind: 'extract' | 'agent',
  body: object,
  options: StartOptions,
): Promise<DataJob<Status>> {
  const call = { method: 'POST', path: `/v2/${kind}`, body } as const
  const { id, started } = await startJobIdempotent(transport, call, options)
  return new DataJob<Status>(transport, kind, id, { ...started })
}
