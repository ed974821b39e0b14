import { Notice } from '../ui/notice.tsx'
import type { RunResult } from './sessions.ts'

/** Result of executed code, with stdout and stderr separately. */
export function RunOutput({ result }: { result: RunResult }) {
  const outputs = [
    { name: 'Result', text: result.result },
    { name: 'Output (stdout)', text: result.stdout },
    { name: 'Errors (stderr)', text: result.stderr },
  ].filter(({ text }) => text !== null && text !== '')
  return (
    <div className="stack">
      <div className="row">
        <span className={`badge ${result.exitCode === 0 ? 'good' : 'bad'}`}>
          {result.exitCode === 0 ? 'done' : `exit code ${result.exitCode ?? 'unknown'}`}
        </span>
        {result.killed && <span className="badge bad">stopped at the time limit</span>}
        {result.truncated === true && <span className="badge busy">output truncated</span>}
      </div>
      {result.error !== undefined && result.error !== result.stderr && (
        <Notice kind="error">
          <pre className="bare">{result.error}</pre>
        </Notice>
      )}
      {outputs.length === 0 && <p className="quiet">No output.</p>}
      {outputs.map(({ name, text }) => (
        <div key={name}>
          <h4 className="output-name">{name}</h4>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
          <pre className="output" tabIndex={0}>
            {text}
          </pre>
        </div>
      ))}
    </div>
  )
}
