import { lazy, type ReactNode, Suspense } from 'react'
import type { JobKind } from '../../jobs/kinds.ts'
import { JsonTree } from '../../ui/json-tree.tsx'
import { Loading } from '../../ui/page.tsx'
import { UntrustedMarkdown } from '../../ui/untrusted-markdown.tsx'
import { UntrustedPage } from '../../ui/untrusted-page.tsx'
import type { Call } from '../calls.ts'
import { isObject } from '../form/deep-equal.ts'
import { EvidenceView } from './evidence-view.tsx'
import { MetadataTable } from './metadata-table.tsx'
import { Screenshots } from './screenshots.tsx'
import { SourceText } from './source-text.tsx'
import { SupportAnswer } from './support-answer.tsx'
import { type LinkItem, UrlList } from './url-list.tsx'

interface View {
  name: string
  content: ReactNode
}

/** Returns the views of a response. The last one shows the complete JSON. */
export function buildViews(call: Call, response: Record<string, unknown>): View[] {
  const jsonView = { name: 'JSON', content: <JsonTree value={response} /> }
  const { data, id } = response
  if (call.jobKind !== undefined && typeof id === 'string') {
    return [{ name: 'Progress', content: <RunningJob key={id} kind={call.jobKind} id={id} /> }, jsonView]
  }
  if (call.name === 'ask') return [{ name: 'Answer', content: <SupportAnswer answer={response} /> }, jsonView]
  if (call.name === 'search' && isObject(data)) return [...searchViews(data), jsonView]
  if (call.name === 'map') {
    return [{ name: 'Pages', content: <UrlList items={toLinkItems(response.links)} /> }, jsonView]
  }
  if (call.name === 'interact') return [...interactViews(response), jsonView]
  return isObject(data) && isObject(data.metadata) ? [...documentViews(data), jsonView] : [jsonView]
}

const EmbeddedJob = lazy(() =>
  import('../../jobs/embedded-job.tsx').then((part) => ({ default: part.EmbeddedJob })),
)

function RunningJob(job: { kind: JobKind; id: string }) {
  return (
    <Suspense fallback={<Loading />}>
      <EmbeddedJob {...job} />
    </Suspense>
  )
}

function documentViews(document: Record<string, unknown>): View[] {
  const { markdown, html, rawHtml, links, images, json, metadata } = document
  const screenshots = listScreenshots(document)
  const views: (View | false)[] = [
    typeof markdown === 'string' && { name: 'Page', content: <RenderedMarkdown text={markdown} /> },
    json !== undefined && { name: 'Values', content: <EvidenceView document={document} /> },
    typeof markdown === 'string' && { name: 'Markdown', content: <SourceText text={markdown} /> },
    typeof html === 'string' && {
      name: 'HTML',
      content: <UntrustedPage html={html} title="The HTML of the page" />,
    },
    typeof html === 'string' && { name: 'HTML source', content: <SourceText text={html} /> },
    typeof rawHtml === 'string' && { name: 'Raw HTML', content: <SourceText text={rawHtml} /> },
    ...(['summary', 'answer', 'highlights'] as const).map((name) => {
      const text = document[name]
      return typeof text === 'string' && { name, content: <UntrustedMarkdown text={text} /> }
    }),
    screenshots.length > 0 && { name: 'Screenshot', content: <Screenshots urls={screenshots} /> },
    Array.isArray(links) && {
      name: `Links (${links.length})`,
      content: <UrlList items={toLinkItems(links)} />,
    },
    Array.isArray(images) && {
      name: `Images (${images.length})`,
      content: <UrlList items={toLinkItems(images)} />,
    },
    ...otherViews(document),
    { name: 'Metadata', content: <MetadataTable metadata={metadata} /> },
  ]
  return views.filter((view) => view !== false)
}

const formatsWithView = new Set([
  ...['markdown', 'html', 'rawHtml', 'links', 'images', 'json', 'jsonEvidence', 'metadata', 'screenshot'],
  ...['summary', 'answer', 'highlights', 'warning', 'actions'],
])

/** Returns views of the formats that have no dedicated view. */
function otherViews(document: Record<string, unknown>): View[] {
  return Object.entries(document)
    .filter(([name]) => !formatsWithView.has(name))
    .map(([name, value]) => ({
      name,
      content: typeof value === 'string' ? <SourceText text={value} /> : <JsonTree value={value} />,
    }))
}

function listScreenshots({ screenshot, actions }: Record<string, unknown>): string[] {
  const stepScreenshots = isObject(actions) && Array.isArray(actions.screenshots) ? actions.screenshots : []
  return [screenshot, ...stepScreenshots].filter((url) => typeof url === 'string')
}

function searchViews(data: Record<string, unknown>): View[] {
  return Object.entries(data).map(([name, results]) => {
    const linkItems = toLinkItems(results)
    return { name: `${name} (${linkItems.length})`, content: <UrlList items={linkItems} /> }
  })
}

function interactViews(response: Record<string, unknown>): View[] {
  return ['output', 'result', 'stdout', 'stderr'].flatMap((name) => {
    const text = response[name]
    return typeof text === 'string' && text !== '' ? [{ name, content: <SourceText text={text} /> }] : []
  })
}

/** Converts a list of URLs, or of objects with a URL, to link items. */
function toLinkItems(list: unknown): LinkItem[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown): LinkItem[] => {
    if (typeof item === 'string') return [{ url: item }]
    if (!isObject(item)) return []
    const url = item.url ?? item.imageUrl
    if (typeof url !== 'string') return []
    const description = item.description ?? item.snippet
    return [
      {
        url,
        ...(typeof item.title === 'string' ? { title: item.title } : {}),
        ...(typeof description === 'string' ? { description } : {}),
      },
    ]
  })
}

const maxRendered = 200_000

function RenderedMarkdown({ text }: { text: string }) {
  if (text === '') return <p className="quiet">The page has no text.</p>
  return (
    <>
      <UntrustedMarkdown text={text.slice(0, maxRendered)} />
      {text.length > maxRendered && <p className="quiet">The full text is under Markdown.</p>}
    </>
  )
}
