import { Link } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { Notice } from '../../ui/notice.tsx'
import type { Call } from '../calls.ts'
import { seconds } from '../elapsed.tsx'
import { isObject } from '../form/deep-equal.ts'
import type { Run } from '../use-run.ts'
import { AskHelp } from './ask-help.tsx'
import { viewsOf } from './views.tsx'

/** Calls that keep a trace, from which the support agent can tell what became of them. */
const traced = ['scrape', 'parse', 'map', 'search']

interface AnswerProps {
  call: Call
  run: Extract<Run, { state: 'done' }>
  onFix: (fix: Record<string, unknown>) => void
}

/** What a call brought, in as many ways as it can be looked at. */
export function Answer({ call, run, onFix }: AnswerProps) {
  const { answer } = run
  const data = isObject(answer.data) ? answer.data : {}
  const warnings = [answer.warning, data.warning].filter((one) => typeof one === 'string')
  const views = viewsOf(call, answer)
  const jobId = jobIdOf(call, answer)
  return (
    <div className="stack">
      {[...new Set(warnings)].map((warning) => (
        <Notice key={warning} kind="warning">
          {warning}
        </Notice>
      ))}
      {answer.success === false && typeof answer.error === 'string' && (
        <Notice kind="error">{answer.error}</Notice>
      )}
      <p className="row">
        <span className="badge good">{seconds(run.ms)}</span>
        <Credits answer={answer} />
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
      {jobId !== undefined && traced.includes(call.name) && (
        <AskHelp title="Not what you expected?" call={call} sent={run.sent} jobId={jobId} onFix={onFix} />
      )}
    </div>
  )
}

function Credits({ answer }: { answer: Record<string, unknown> }) {
  const metadata = isObject(answer.data) && isObject(answer.data.metadata) ? answer.data.metadata : {}
  const credits = metadata.creditsUsed ?? answer.creditsUsed
  if (typeof credits !== 'number') return null
  return (
    <span className="badge">
      {credits} {credits === 1 ? 'credit' : 'credits'}
    </span>
  )
}

/** Where the job can be looked at afterwards. */
function JobLink({ call, jobId }: { call: Call; jobId: string | undefined }) {
  if (jobId === undefined) return null
  if (call.work !== undefined) {
    return (
      <Link to="/jobs/$kind/$id" params={{ kind: call.work, id: jobId }}>
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

function jobIdOf(call: Call, answer: Record<string, unknown>): string | undefined {
  if (call.name === 'ask') return undefined
  const metadata = isObject(answer.data) && isObject(answer.data.metadata) ? answer.data.metadata : {}
  const id = metadata.scrapeId ?? answer.id
  return typeof id === 'string' ? id : undefined
}
