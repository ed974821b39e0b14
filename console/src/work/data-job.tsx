import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AgentStatus, ExtractStatus } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'
import { Copy } from '../ui/copy.tsx'
import { JsonTree } from '../ui/json-tree.tsx'
import { Failure, Notice } from '../ui/notice.tsx'
import { Loading, Page } from '../ui/page.tsx'
import { StateBadge } from '../ui/state-badge.tsx'
import { StrangerMarkdown } from '../ui/stranger-markdown.tsx'
import { atMoment, counted } from '../ui/units.ts'
import { AgentEvents } from './agent-events.tsx'
import { CancelButton } from './cancel-button.tsx'
import { Conflicts } from './conflicts.tsx'
import { workKinds } from './kinds.ts'
import { Sources } from './sources.tsx'
import { TracedUrls } from './traced-urls.tsx'

type DataKind = 'extract' | 'agent'
type Status = ExtractStatus | AgentStatus

const whileRunning = 2000

/** An extract or an agent: its data, where it comes from, and where pages disagree. */
export function DataJob({ kind, id }: { kind: DataKind; id: string }) {
  const path = `${workKinds[kind].path}/${id}`
  const { data, error, refetch } = useQuery({
    queryKey: ['data-job', path],
    queryFn: () => request<Status>('GET', path),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? whileRunning : false),
  })
  const isRunning = data?.status === 'processing'
  const cancel = isRunning && (
    <CancelButton path={path} what="What was read so far is not returned." onDone={refetch} />
  )
  return (
    <Page title={workKinds[kind].name} actions={cancel}>
      {error && <Failure error={error} />}
      {!data && !error && <Loading />}
      {data && (
        <div className="stack">
          <Summary id={id} status={data} />
          {data.error !== undefined && <Notice kind="error">{data.error}</Notice>}
          {data.warning !== undefined && <Notice kind="warning">{data.warning}</Notice>}
          {!isRunning && <Found status={data} />}
          {data.conflicts && data.conflicts.length > 0 && <Conflicts conflicts={data.conflicts} />}
          {data.sources && Object.keys(data.sources).length > 0 && <Sources sources={data.sources} />}
          {'urlTrace' in data && data.urlTrace && <TracedUrls urls={data.urlTrace} />}
          {kind === 'agent' && <AgentEvents id={id} isRunning={isRunning} />}
        </div>
      )}
    </Page>
  )
}

function Summary({ id, status }: { id: string; status: Status }) {
  return (
    <section className="panel row" aria-label="State">
      <StateBadge state={status.status} />
      {status.status === 'processing' && <span className="spinner" aria-hidden="true" />}
      {'stopReason' in status && status.stopReason && <span>stopped: {status.stopReason}</span>}
      {'model' in status && <span>{status.model}</span>}
      <span>{counted(status.creditsUsed, 'credit')}</span>
      <span className="quiet">kept until {atMoment(status.expiresAt)}</span>
      <Link to="/activity/$id" params={{ id }}>
        How it went
      </Link>
    </section>
  )
}

function Found({ status }: { status: Status }) {
  const message = 'message' in status ? status.message : undefined
  return (
    <section className="panel stack" aria-labelledby="found">
      <div className="row">
        <h2 id="found">{message === undefined ? 'Data' : 'Answer'}</h2>
        <Copy text={message ?? JSON.stringify(status.data, null, 2) ?? ''} />
      </div>
      {message !== undefined && <StrangerMarkdown text={message} />}
      {status.data !== undefined && <JsonTree value={status.data} />}
    </section>
  )
}
