import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { editorLook } from './editor-look.ts'

interface CodeEditorProps {
  /** The language; another one is another editor, so it must stay the same. */
  mode: Extension
  /** What a screen reader calls it. */
  label: string
  text: string
  onChange: (text: string) => void
  /** What Ctrl+Enter does; answers true. Without it, the key goes to the page. */
  onRun?: () => true
  isNumbered?: boolean
}

/** Text with colours. Tab leaves the field, as everywhere else. */
export function CodeEditor({ mode, label, text, onChange, onRun, isNumbered = false }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef({ text, onChange, onRun })
  latest.current = { text, onChange, onRun }
  useEffect(() => {
    if (!place.current) return
    // In a shadow the styles of the editor are adopted as sheets, which the content security policy allows.
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' })
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          extensions(mode, label),
          keymap.of([{ key: 'Mod-Enter', run: () => latest.current.onRun?.() ?? false }]),
          isNumbered ? lineNumbers() : [],
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [mode, label, isNumbered])
  useEffect(() => {
    const shown = view.current?.state.doc.toString()
    if (shown === undefined || shown === text) return
    view.current?.dispatch({ changes: { from: 0, to: shown.length, insert: text } })
  }, [text])
  return <div className="code-editor" ref={place} />
}

function extensions(mode: Extension, label: string): Extension[] {
  return [
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    mode,
    keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    editorLook,
  ]
}
