import { Link } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { Notice } from '../../ui/notice.tsx'
import type { Call } from '../calls.ts'
import { formatSeconds } from '../elapsed.tsx'
import { isObject } from '../form/deep-equal.ts'
import type { Run } from '../use-run.ts'
import { AskHelp } from './ask-help.tsx'
import { buildViews } from './views.tsx'

/** Calls whose jobs have a trace. The support agent needs it for a diagnosis. */
const tracedCalls = ['scrape', 'parse', 'map', 'search']

interface CallResponseProps {
  call: Call
  run: Extract<Run, { state: 'done' }>
  onFix: (fix: Record<string, unknown>) => void
}

/** Response of a call in several views. */
export function CallResponse({ call, run, onFix }: CallResponseProps) {
  const { response } = run
  const data = isObject(response.data) ? response.data : {}
  const warnings = [response.warning, data.warning].filter((text) => typeof text === 'string')
  const views = buildViews(call, response)
  const jobId = getJobId(call, response)
  return (
    <div className="stack">
      {[...new Set(warnings)].map((warning) => (
        <Notice key={warning} kind="warning">
          {warning}
        </Notice>
      ))}
      {response.success === false && typeof response.error === 'string' && (
        <Notice kind="error">{response.error}</Notice>
      )}
      <p className="row">
        <span className="badge good">{formatSeconds(run.ms)}</span>
        <Credits response={response} />
        <JobLink call={call} jobId={jobId} />
      </p>
      <Tabs.Root defaultValue={views[0]?.name ?? ''} className="views">
        <Tabs.List className="tabs" aria-label="Response views">
          {views.map(({ name }) => (
            <Tabs.Trigger key={name} value={name}>
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {views.map(({ name, content }) => (
          <Tabs.Content key={name} value={name}>
            {content}
          </Tabs.Content>
        ))}
      </Tabs.Root>
      {jobId !== undefined && tracedCalls.includes(call.name) && (
        <AskHelp title="Not what you expected?" call={call} sent={run.sent} jobId={jobId} onFix={onFix} />
      )}
    </div>
  )
}

function Credits({ response }: { response: Record<string, unknown> }) {
  const metadata = isObject(response.data) && isObject(response.data.metadata) ? response.data.metadata : {}
  const credits = metadata.creditsUsed ?? response.creditsUsed
  if (typeof credits !== 'number') return null
  return (
    <span className="badge">
      {credits} {credits === 1 ? 'credit' : 'credits'}
    </span>
  )
}

/** Link to the page of the job, session or trace. */
function JobLink({ call, jobId }: { call: Call; jobId: string | undefined }) {
  if (jobId === undefined) return null
  if (call.jobKind !== undefined) {
    return (
      <Link to="/jobs/$kind/$id" params={{ kind: call.jobKind, id: jobId }}>
        Open job
      </Link>
    )
  }
  if (call.name === 'browser') return <Link to="/browsers">Open browser session</Link>
  if (call.name === 'interact' || call.name === 'ask') return null
  return (
    <>
      <Link to="/activity/$id" params={{ id: jobId }}>
        View trace
      </Link>
      {call.name === 'scrape' && (
        <Link
          to="/playground/$call"
          params={{ call: 'interact' }}
          search={{ request: JSON.stringify({ id: jobId }) }}
        >
          Continue in browser
        </Link>
      )}
    </>
  )
}

function getJobId(call: Call, response: Record<string, unknown>): string | undefined {
  if (call.name === 'ask') return undefined
  const metadata = isObject(response.data) && isObject(response.data.metadata) ? response.data.metadata : {}
  const id = metadata.scrapeId ?? response.id
  return typeof id === 'string' ? id : undefined
}
