import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { python } from '@codemirror/lang-python'
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language'
import { shell } from '@codemirror/legacy-modes/mode/shell'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { Language } from './sessions.ts'

const modes: Record<Language, () => Extension> = {
  node: () => javascript(),
  python: () => python(),
  bash: () => StreamLanguage.define(shell),
}

/** The usual colours, nearer to the colour of text: readable in both themes. */
const colours = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) =>
    typeof spec.color === 'string'
      ? { ...spec, color: `color-mix(in oklab, ${spec.color} 45%, var(--text))` }
      : spec,
  ),
)

const look = EditorView.theme({
  '&': { background: 'var(--sunk)', color: 'var(--text)', fontSize: '0.87rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', minHeight: '8rem', maxHeight: '24rem', overflow: 'auto' },
  '.cm-gutters': { background: 'none', color: 'var(--quiet)', border: 'none' },
  '.cm-content': { caretColor: 'var(--text)' },
})

interface CodeEditorProps {
  language: Language
  /** What it begins with; afterwards the editor holds the text. */
  text: string
  onChange: (text: string) => void
  onRun: () => void
}

export function CodeEditor({ language, text, onChange, onRun }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef({ text, onChange, onRun })
  latest.current = { text, onChange, onRun }
  useEffect(() => {
    if (!place.current) return
    // Inside a shadow root the editor adds its styles as objects, which the content security policy lets pass.
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' })
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: extensionsOf(language, {
          onChange: (next) => latest.current.onChange(next),
          onRun: () => latest.current.onRun(),
        }),
      }),
    })
    return () => view.destroy()
  }, [language])
  return <div ref={place} className="code-editor" />
}

function extensionsOf(
  language: Language,
  { onChange, onRun }: Pick<CodeEditorProps, 'onChange' | 'onRun'>,
): Extension[] {
  const run = () => {
    onRun()
    return true
  }
  return [
    keymap.of([{ key: 'Mod-Enter', run }, ...defaultKeymap, ...historyKeymap]),
    lineNumbers(),
    history(),
    indentOnInput(),
    bracketMatching(),
    syntaxHighlighting(colours),
    modes[language](),
    look,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'Code to run' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString())
    }),
  ]
}
