import { lazy, Suspense, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { RunOutput } from './run-output.tsx'
import { type Language, useExecute } from './sessions.ts'

const ProgramEditor = lazy(() =>
  import('./program-editor.tsx').then(({ ProgramEditor }) => ({ default: ProgramEditor })),
)

/** Initial code in the editor, by language. */
const examples: Record<Language, string> = {
  node: "// page, context and browser are available; the last expression is the result.\nawait page.goto('https://example.com')\nawait page.title()\n",
  python:
    '# page, context and browser are available.\nawait page.goto("https://example.com")\nprint(await page.title())\n',
  bash: '# agent-browser controls this browser.\nagent-browser open https://example.com\nagent-browser snapshot\n',
}

const languages: { value: Language; name: string }[] = [
  { value: 'node', name: 'JavaScript (Node, Playwright)' },
  { value: 'python', name: 'Python (Playwright)' },
  { value: 'bash', name: 'Bash (agent-browser)' },
]

export function RunCode({ id }: { id: string }) {
  const [language, setLanguage] = useState<Language>('node')
  const [code, setCode] = useState(examples)
  const [timeout, setTimeout] = useState(30)
  const execution = useExecute(id)
  const run = () => {
    if (!execution.isPending) execution.mutate({ code: code[language], language, timeout })
  }
  return (
    <section className="panel stack" aria-labelledby="run-code">
      <h3 id="run-code">Run code</h3>
      <div className="row">
        <label className="row">
          Language
          <select value={language} onChange={(event) => setLanguage(event.target.value as Language)}>
            {languages.map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="row seconds">
          Timeout (seconds)
          <input
            type="number"
            min={1}
            max={300}
            value={timeout}
            onChange={(event) => setTimeout(event.target.valueAsNumber || 30)}
          />
        </label>
      </div>
      <Suspense fallback={<Loading label="Loading editor" />}>
        <ProgramEditor
          key={language}
          language={language}
          text={code[language]}
          onChange={(text) => setCode((previous) => ({ ...previous, [language]: text }))}
          onRun={run}
        />
      </Suspense>
      <div className="row">
        <Button
          variant="main"
          icon="play"
          isBusy={execution.isPending}
          disabled={execution.isPending}
          onClick={run}
        >
          Run
        </Button>
        <span className="quiet">Press Ctrl+Enter to run.</span>
      </div>
      <div aria-live="polite">
        {execution.error && <ErrorNotice error={execution.error} />}
        {execution.data && <RunOutput result={execution.data} />}
      </div>
    </section>
  )
}
