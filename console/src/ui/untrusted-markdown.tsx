import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

/** Images are not loaded, and links send no referrer. */
const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  img: ({ alt, src }) => (
    <span className="image-name" title={typeof src === 'string' ? src : undefined}>
      {alt || 'image'}
    </span>
  ),
}

/** Markdown of an untrusted page. HTML is shown as text. react-markdown removes URLs with unsafe protocols. */
export function UntrustedMarkdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  )
}
