import { useState } from 'react'
import { Copy } from '../../ui/copy.tsx'
import { isObject } from '../form/deep-equal.ts'
import { type Evidence, EvidenceLocator } from './evidence-locator.tsx'
import { ValueTree } from './value-tree.tsx'

/** Values of a page with their evidence. A click on a value shows its source. */
export function EvidenceView({ document }: { document: Record<string, unknown> }) {
  const { json, jsonEvidence } = document
  const evidence = isObject(jsonEvidence) ? (jsonEvidence as Record<string, Evidence>) : {}
  const [path, setPath] = useState(() => Object.keys(evidence)[0])
  const chosen = path === undefined ? undefined : evidence[path]
  return (
    <div className="evidence">
      <div className="source">
        <div className="row">
          <span className="quiet">Select a value to see its source.</span>
          <Copy text={JSON.stringify(json, null, 2)} />
        </div>
        <ValueTree value={json} path="" evidence={evidence} chosen={path} onChoose={setPath} />
      </div>
      <div className="panel" role="status">
        {chosen && path !== undefined ? (
          <>
            <h3>{path}</h3>
            <dl>
              <dt>Source text</dt>
              <dd>
                <mark>{chosen.text}</mark>
              </dd>
              <dt>Method</dt>
              <dd>{chosen.reader}</dd>
              {chosen.property !== undefined && <dt>Property</dt>}
              {chosen.property !== undefined && <dd>{chosen.property}</dd>}
              {chosen.selector !== undefined && <dt>Element</dt>}
              {chosen.selector !== undefined && (
                <dd>
                  <code>{chosen.selector}</code>
                </dd>
              )}
            </dl>
            <EvidenceLocator evidence={chosen} document={document} />
          </>
        ) : (
          <p className="quiet">
            {path === undefined ? 'This response has no evidence.' : `No evidence for ${path}.`}
          </p>
        )}
      </div>
    </div>
  )
}
