import { Tabs } from 'radix-ui'
import { lazy, Suspense } from 'react'
import { Copy } from '../../ui/copy.tsx'
import { Loading } from '../../ui/page.tsx'
import { isObject } from '../form/deep-equal.ts'
import type { SampleRequest } from './client-call.ts'
import { buildSamples } from './samples.ts'

const JsonEditor = lazy(() =>
  import('../editor/json-editor.tsx').then(({ JsonEditor }) => ({ default: JsonEditor })),
)

interface CodePanelProps {
  sampleRequest: SampleRequest
  request: Record<string, unknown>
  onChange: (request: Record<string, unknown>) => void
}

/** Code samples of the request, and an editor for its JSON. */
export function CodePanel({ sampleRequest, request, onChange }: CodePanelProps) {
  const samples = buildSamples(sampleRequest)
  return (
    <section className="panel code-panel" aria-labelledby="code-title">
      <h2 id="code-title">Code samples</h2>
      <Tabs.Root defaultValue="curl">
        <Tabs.List className="tabs" aria-label="Languages">
          {samples.map(({ name }) => (
            <Tabs.Trigger key={name} value={name}>
              {name}
            </Tabs.Trigger>
          ))}
          <Tabs.Trigger value="request">Edit as JSON</Tabs.Trigger>
        </Tabs.List>
        {samples.map(({ name, code }) => (
          <Tabs.Content key={name} value={name} className="sample">
            <Copy text={code} />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
            <pre tabIndex={0}>{code}</pre>
          </Tabs.Content>
        ))}
        <Tabs.Content value="request">
          <Suspense fallback={<Loading />}>
            <JsonEditor
              label="Request"
              value={request}
              check={(value) => (isObject(value) ? undefined : 'A request must be a JSON object.')}
              onChange={(value) => isObject(value) && onChange(value)}
            />
          </Suspense>
        </Tabs.Content>
      </Tabs.Root>
      <p className="quiet">
        Set <code>WINNOW_API_KEY</code> to your key first.
      </p>
    </section>
  )
}
