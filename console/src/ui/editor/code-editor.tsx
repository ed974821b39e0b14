import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { editorTheme } from './editor-look.ts'

interface CodeEditorProps {
  /** Language extension. A changed value recreates the editor, so it must be a constant. */
  mode: Extension
  /** Accessible name. */
  label: string
  text: string
  onChange: (text: string) => void
  /** Handles Ctrl+Enter. Without it, the page handles the key. */
  onRun?: () => true
  isNumbered?: boolean
}

/** CodeMirror editor. Tab moves the focus out of the editor, as in other fields. */
export function CodeEditor({ mode, label, text, onChange, onRun, isNumbered = false }: CodeEditorProps) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef({ text, onChange, onRun })
  latest.current = { text, onChange, onRun }
  useEffect(() => {
    if (!container.current) return
    // In a shadow root, CodeMirror uses adopted style sheets, which the content security policy allows.
    const root = container.current.shadowRoot ?? container.current.attachShadow({ mode: 'open' })
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          baseExtensions(mode, label),
          keymap.of([{ key: 'Mod-Enter', run: () => latest.current.onRun?.() ?? false }]),
          isNumbered ? lineNumbers() : [],
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [mode, label, isNumbered])
  useEffect(() => {
    const current = view.current?.state.doc.toString()
    if (current === undefined || current === text) return
    view.current?.dispatch({ changes: { from: 0, to: current.length, insert: text } })
  }, [text])
  return <div className="code-editor" ref={container} />
}

function baseExtensions(mode: Extension, label: string): Extension[] {
  return [
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    mode,
    keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    editorTheme,
  ]
}
