import { Link } from '@tanstack/react-router'
import { Copy } from '../ui/copy.tsx'
import { JsonTree } from '../ui/json-tree.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { StateBadge } from '../ui/state-badge.tsx'
import { formatDateTime, formatQuantity } from '../ui/units.ts'
import { UntrustedMarkdown } from '../ui/untrusted-markdown.tsx'
import { AgentEvents } from './agent-events.tsx'
import { Conflicts } from './conflicts.tsx'
import { Sources } from './sources.tsx'
import { TracedUrls } from './traced-urls.tsx'
import type { DataKind, DataStatus, useDataJob } from './use-data-job.ts'

interface DataOfJobProps {
  kind: DataKind
  id: string
  job: ReturnType<typeof useDataJob>
}

/** Result of an extract or an agent: data, sources, and fields for which pages state different values. */
export function DataOfJob({ kind, id, job: { status, error, isRunning } }: DataOfJobProps) {
  if (!status) return error ? <ErrorNotice error={error} /> : <Loading />
  return (
    <div className="stack">
      <Summary id={id} status={status} />
      {status.error !== undefined && <Notice kind="error">{status.error}</Notice>}
      {status.warning !== undefined && <Notice kind="warning">{status.warning}</Notice>}
      {!isRunning && <Result status={status} />}
      {status.conflicts && status.conflicts.length > 0 && <Conflicts conflicts={status.conflicts} />}
      {status.sources && Object.keys(status.sources).length > 0 && <Sources sources={status.sources} />}
      {'urlTrace' in status && status.urlTrace && <TracedUrls urls={status.urlTrace} />}
      {kind === 'agent' && <AgentEvents id={id} isRunning={isRunning} />}
    </div>
  )
}

function Summary({ id, status }: { id: string; status: DataStatus }) {
  return (
    <section className="panel row" aria-label="State">
      <StateBadge state={status.status} />
      {status.status === 'processing' && <span className="spinner" aria-hidden="true" />}
      {'stopReason' in status && status.stopReason && <span>stopped: {status.stopReason}</span>}
      {'model' in status && <span>{status.model}</span>}
      <span>{formatQuantity(status.creditsUsed, 'credit')}</span>
      <span className="quiet">stored until {formatDateTime(status.expiresAt)}</span>
      <Link to="/activity/$id" params={{ id }}>
        View trace
      </Link>
    </section>
  )
}

function Result({ status }: { status: DataStatus }) {
  const message = 'message' in status ? status.message : undefined
  return (
    <section className="panel stack" aria-labelledby="found">
      <div className="row">
        <h2 id="found">{message === undefined ? 'Data' : 'Answer'}</h2>
        <Copy text={message ?? JSON.stringify(status.data, null, 2) ?? ''} />
      </div>
      {message !== undefined && <UntrustedMarkdown text={message} />}
      {status.data !== undefined && <JsonTree value={status.data} />}
    </section>
  )
}
