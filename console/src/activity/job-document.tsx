import { Tabs } from 'radix-ui'
import type { Document } from '../../../client/src/types.ts'
import { Copy } from '../ui/copy.tsx'
import { JsonTree } from '../ui/json-tree.tsx'
import { toServiceFileUrl } from '../ui/own-file.ts'
import { UntrustedMarkdown } from '../ui/untrusted-markdown.tsx'
import { UntrustedPage } from '../ui/untrusted-page.tsx'

/** Maximum characters to render. Longer texts would block the browser. */
const maxRendered = 100_000

/** Document of the job in the requested formats. */
export function JobDocument({ document }: { document: Document }) {
  const { markdown, html, screenshot } = document
  const screenshotUrl = screenshot === undefined ? undefined : toServiceFileUrl(screenshot)
  const firstTab = markdown !== undefined ? 'markdown' : html !== undefined ? 'html' : 'all'
  return (
    <section className="panel" aria-labelledby="document">
      <h2 id="document">Document</h2>
      <Tabs.Root defaultValue={firstTab}>
        <Tabs.List className="tabs" aria-label="Formats">
          {markdown !== undefined && <Tabs.Trigger value="markdown">Markdown</Tabs.Trigger>}
          {markdown !== undefined && <Tabs.Trigger value="source">Source</Tabs.Trigger>}
          {html !== undefined && <Tabs.Trigger value="html">HTML</Tabs.Trigger>}
          {screenshotUrl !== undefined && <Tabs.Trigger value="picture">Screenshot</Tabs.Trigger>}
          <Tabs.Trigger value="all">All fields</Tabs.Trigger>
        </Tabs.List>
        {markdown !== undefined && (
          <Tabs.Content value="markdown">
            <UntrustedMarkdown text={markdown.slice(0, maxRendered)} />
            {markdown.length > maxRendered && <p className="quiet">The full text is under Source.</p>}
          </Tabs.Content>
        )}
        {markdown !== undefined && (
          <Tabs.Content value="source" className="stack">
            <div>
              <Copy text={markdown} />
            </div>
            <pre className="source">{markdown}</pre>
          </Tabs.Content>
        )}
        {html !== undefined && (
          <Tabs.Content value="html">
            <UntrustedPage html={html} title="The cleaned HTML of the page" />
          </Tabs.Content>
        )}
        {screenshotUrl !== undefined && (
          <Tabs.Content value="picture">
            <img className="screenshot" src={screenshotUrl} alt="Screenshot of the page" />
          </Tabs.Content>
        )}
        <Tabs.Content value="all">
          <JsonTree value={document} />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  )
}
