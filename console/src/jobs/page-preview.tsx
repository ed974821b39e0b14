import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiPath } from '../../../client/src/api-path.ts'
import type { Document, GetScrapeByIdResponse } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { Copy } from '../ui/copy.tsx'
import { JsonTree } from '../ui/json-tree.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { formatQuantity } from '../ui/units.ts'
import { UntrustedLink } from '../ui/untrusted-link.tsx'
import { UntrustedMarkdown } from '../ui/untrusted-markdown.tsx'

/** Maximum characters to render. Longer texts would block the browser. */
const maxRendered = 100_000

/** Preview of a page of the job as Markdown, next to the list. */
export function PagePreview({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['scrape', id],
    queryFn: () => request<GetScrapeByIdResponse>('GET', apiPath('/v2/scrape/{id}', { id })),
  })
  return (
    <section className="panel page-preview" aria-label="Page">
      <div className="row">
        <Link to="/activity/$id" params={{ id }}>
          View trace
        </Link>
        {data?.data.markdown !== undefined && <Copy text={data.data.markdown} name="Copy Markdown" />}
        <Button icon="close" onClick={onClose}>
          Close
        </Button>
      </div>
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Loading />}
      {data && <Content document={data.data} />}
    </section>
  )
}

function Content({ document }: { document: Document }) {
  const { metadata, markdown, warning } = document
  return (
    <>
      <h2>{metadata.title || '(no title)'}</h2>
      <p className="quiet">
        <UntrustedLink href={metadata.url} />
      </p>
      {warning !== undefined && <Notice kind="warning">{warning}</Notice>}
      {markdown === undefined ? <JsonTree value={document} /> : <RenderedMarkdown text={markdown} />}
    </>
  )
}

function RenderedMarkdown({ text }: { text: string }) {
  if (text === '') return <Notice>The page has no text.</Notice>
  const rest = text.length - maxRendered
  return (
    <>
      <UntrustedMarkdown text={text.slice(0, maxRendered)} />
      {rest > 0 && (
        <Notice>
          {formatQuantity(rest, 'more character')} are not shown. Copy the Markdown to get the full text.
        </Notice>
      )}
    </>
  )
}
