import { useQuery } from '@tanstack/react-query'
import { apiPath } from '../../../client/src/api-path.ts'
import type { AgentTrace, AgentTraceEvent } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'
import { JsonTree } from '../ui/json-tree.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { formatShortDateTime } from '../ui/units.ts'

/** Trace events of an agent, in order. */
export function AgentEvents({ id, isRunning }: { id: string; isRunning: boolean }) {
  const { data, error } = useQuery({
    // A changed `isRunning` refetches the trace when the job ends.
    queryKey: ['agent-trace', id, isRunning],
    queryFn: () => request<AgentTrace>('GET', apiPath('/v2/agent/{id}/trace', { id })),
    placeholderData: (previous) => previous,
    refetchInterval: isRunning ? 3000 : false,
  })
  return (
    <section className="panel stack" aria-labelledby="agent-events">
      <h2 id="agent-events">Steps</h2>
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Loading />}
      <ol className="agent-events" aria-live="polite" aria-relevant="additions">
        {data?.events.map((event) => (
          <li key={event.eventId}>
            <time className="quiet" dateTime={event.occurredAt}>
              {formatShortDateTime(event.occurredAt)}
            </time>
            <div>
              <EventText event={event} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

const labels: Record<string, string> = {
  'run.started': 'The run started.',
  'agent.started': 'The agent started.',
  'run.cancel_requested': 'The run was cancelled.',
  'agent.finished': 'The agent finished',
  'run.finished': 'The run finished',
  'artifact.updated': 'The result was created.',
}

/** Text of an event. Its fields depend on its type; an unknown type is shown by its name. */
function EventText({ event }: { event: AgentTraceEvent }) {
  const { type } = event
  if (type === 'tool_call.started')
    return <Details name={`${event.toolName}: called with`} value={event.parameters} />
  if (type === 'tool_call.finished')
    return <Details name={`${event.toolName}: returned`} value={event.result} />
  if (type === 'reasoning.summary') return <q>{String(event.text)}</q>
  if (type === 'progress.reported') return <>{String(event.message)}</>
  if (type === 'error.occurred') return <Details name="Error:" value={event.error} />
  if (typeof event.outcome === 'string') return <>{`${labels[type] ?? type}: ${event.outcome}.`}</>
  return <>{labels[type] ?? type}</>
}

function Details({ name, value }: { name: string; value: unknown }) {
  if (typeof value === 'string' && value.length < 200) return <>{`${name} ${value}`}</>
  return (
    <details>
      <summary>{name}</summary>
      <JsonTree value={value} />
    </details>
  )
}
