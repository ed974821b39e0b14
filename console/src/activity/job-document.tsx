import { Tabs } from 'radix-ui'
import type { Document } from '../../../client/src/types.ts'
import { Copy } from '../ui/copy.tsx'
import { JsonTree } from '../ui/json-tree.tsx'
import { ownFile } from '../ui/own-file.ts'
import { UntrustedMarkdown } from '../ui/untrusted-markdown.tsx'
import { UntrustedPage } from '../ui/untrusted-page.tsx'

/** Longer pages would hold the browser up. */
const maxRendered = 100_000

/** What the job brought, in the formats that were asked for. */
export function JobDocument({ document }: { document: Document }) {
  const { markdown, html, screenshot } = document
  const picture = screenshot === undefined ? undefined : ownFile(screenshot)
  const first = markdown !== undefined ? 'markdown' : html !== undefined ? 'html' : 'all'
  return (
    <section className="panel" aria-labelledby="document">
      <h2 id="document">Document</h2>
      <Tabs.Root defaultValue={first}>
        <Tabs.List className="tabs" aria-label="Formats">
          {markdown !== undefined && <Tabs.Trigger value="markdown">Markdown</Tabs.Trigger>}
          {markdown !== undefined && <Tabs.Trigger value="source">Source</Tabs.Trigger>}
          {html !== undefined && <Tabs.Trigger value="html">HTML</Tabs.Trigger>}
          {picture !== undefined && <Tabs.Trigger value="picture">Screenshot</Tabs.Trigger>}
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
        {picture !== undefined && (
          <Tabs.Content value="picture">
            <img className="screenshot" src={picture} alt="Screenshot of the page" />
          </Tabs.Content>
        )}
        <Tabs.Content value="all">
          <JsonTree value={document} />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  )
}
