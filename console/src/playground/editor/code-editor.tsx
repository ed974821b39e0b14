import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { editorLook } from './editor-look.ts'

interface CodeEditorProps {
  label: string
  text: string
  onChange: (text: string) => void
}

/** JSON with colours. Tab leaves the field, as everywhere else. */
export function CodeEditor({ label, text, onChange }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const changed = useRef(onChange)
  changed.current = onChange
  const first = useRef(text)
  useEffect(() => {
    if (!place.current) return
    // In a shadow the styles of the editor are adopted as sheets, which the content security policy allows.
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' })
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          extensions(label),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [label])
  useEffect(() => {
    const shown = view.current?.state.doc.toString()
    if (shown === undefined || shown === text) return
    view.current?.dispatch({ changes: { from: 0, to: shown.length, insert: text } })
  }, [text])
  return <div className="code-editor" ref={place} />
}

function extensions(label: string) {
  return [
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    json(),
    // The form is sent by Ctrl+Enter from here too.
    keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': `${label}, as JSON` }),
    editorLook,
  ]
}
