import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

/** Nothing of a page is loaded from elsewhere, and its links leave no trace of where they stood. */
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

/** The Markdown of a page of strangers. HTML in it is shown as text; addresses that could run something are left out. */
export function UntrustedMarkdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  )
}
