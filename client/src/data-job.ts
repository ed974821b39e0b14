import { apiPath } from './api-path.ts'
import { cancelJob, jobFailed, type StartOptions, startOnce } from './start-job.ts'
import type { CallOptions, Transport } from './transport.ts'
import type { AgentStatus, ExtractStatus } from './types.ts'
import { pacing, readPatiently } from './watch-job.ts'

/** An extract or an agent, whose result comes whole. */
export class DataJob<Status extends ExtractStatus | AgentStatus> {
  readonly id: string
  /** What the service said when it was started; only where this object started it. */
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

  /** How it stands, also after it has failed. */
  async status(options: CallOptions = {}): Promise<Status> {
    const call = { method: 'GET', path: this.#path, repeatable: 'always' } as const
    return (await this.#transport.call(call, options)) as unknown as Status
  }

  /** The result. Throws a JobFailedError where there is none. */
  async wait(options: CallOptions = {}): Promise<Status> {
    const pace = pacing()
    for (;;) {
      const status = await readPatiently(() => this.status(options), options.signal)
      if (status.status === 'completed') return status
      if (status.status !== 'processing') {
        const { status: end, error, code, ...rest } = status
        const isCancelled = end === 'cancelled' || ('stopReason' in rest && rest.stopReason === 'cancelled')
        throw jobFailed(this.id, isCancelled ? 'cancelled' : 'failed', { ...rest, message: error, code })
      }
      await pace.wait(false, options.signal)
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
  const { id, started } = await startOnce(transport, call, options)
  return new DataJob<Status>(transport, kind, id, { ...started })
}
