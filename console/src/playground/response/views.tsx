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
import { type Found, UrlList } from './url-list.tsx'

interface View {
  name: string
  content: ReactNode
}

/** How an answer can be looked at. What has no view of its own is in the last one, where everything is. */
export function viewsOf(call: Call, answer: Record<string, unknown>): View[] {
  const everything = { name: 'JSON', content: <JsonTree value={answer} /> }
  const { data, id } = answer
  if (call.work !== undefined && typeof id === 'string') {
    return [{ name: 'Progress', content: <RunningJob key={id} kind={call.work} id={id} /> }, everything]
  }
  if (call.name === 'ask') return [{ name: 'Answer', content: <SupportAnswer answer={answer} /> }, everything]
  if (call.name === 'search' && isObject(data)) return [...searchViews(data), everything]
  if (call.name === 'map') {
    return [{ name: 'Pages', content: <UrlList found={foundIn(answer.links)} /> }, everything]
  }
  if (call.name === 'interact') return [...interactViews(answer), everything]
  return isObject(data) && isObject(data.metadata) ? [...documentViews(data), everything] : [everything]
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
  const pictures = picturesOf(document)
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
    pictures.length > 0 && { name: 'Screenshot', content: <Screenshots addresses={pictures} /> },
    Array.isArray(links) && {
      name: `Links (${links.length})`,
      content: <UrlList found={foundIn(links)} />,
    },
    Array.isArray(images) && {
      name: `Images (${images.length})`,
      content: <UrlList found={foundIn(images)} />,
    },
    ...othersOf(document),
    { name: 'Metadata', content: <MetadataTable metadata={metadata} /> },
  ]
  return views.filter((one) => one !== false)
}

const withView = new Set([
  ...['markdown', 'html', 'rawHtml', 'links', 'images', 'json', 'jsonEvidence', 'metadata', 'screenshot'],
  ...['summary', 'answer', 'highlights', 'warning', 'actions'],
])

/** Formats that have no view of their own. */
function othersOf(document: Record<string, unknown>): View[] {
  return Object.entries(document)
    .filter(([name]) => !withView.has(name))
    .map(([name, value]) => ({
      name,
      content: typeof value === 'string' ? <SourceText text={value} /> : <JsonTree value={value} />,
    }))
}

function picturesOf({ screenshot, actions }: Record<string, unknown>): string[] {
  const steps = isObject(actions) && Array.isArray(actions.screenshots) ? actions.screenshots : []
  return [screenshot, ...steps].filter((one) => typeof one === 'string')
}

function searchViews(data: Record<string, unknown>): View[] {
  return Object.entries(data).map(([name, results]) => {
    const found = foundIn(results)
    return { name: `${name} (${found.length})`, content: <UrlList found={found} /> }
  })
}

function interactViews(answer: Record<string, unknown>): View[] {
  return ['output', 'result', 'stdout', 'stderr'].flatMap((name) => {
    const text = answer[name]
    return typeof text === 'string' && text !== '' ? [{ name, content: <SourceText text={text} /> }] : []
  })
}

/** Addresses, alone or with a title and a description. */
function foundIn(list: unknown): Found[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown): Found[] => {
    if (typeof one === 'string') return [{ url: one }]
    if (!isObject(one)) return []
    const url = one.url ?? one.imageUrl
    if (typeof url !== 'string') return []
    const description = one.description ?? one.snippet
    return [
      {
        url,
        ...(typeof one.title === 'string' ? { title: one.title } : {}),
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
