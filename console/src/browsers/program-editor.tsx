import { javascript } from '@codemirror/lang-javascript'
import { python } from '@codemirror/lang-python'
import { StreamLanguage } from '@codemirror/language'
import { shell } from '@codemirror/legacy-modes/mode/shell'
import type { Extension } from '@codemirror/state'
import { CodeEditor } from '../ui/editor/code-editor.tsx'
import type { Language } from './sessions.ts'

const modes: Record<Language, Extension> = {
  node: javascript(),
  python: python(),
  bash: StreamLanguage.define(shell),
}

interface ProgramEditorProps {
  language: Language
  text: string
  onChange: (text: string) => void
  onRun: () => void
}

export function ProgramEditor({ language, onRun, ...rest }: ProgramEditorProps) {
  const run = (): true => {
    onRun()
    return true
  }
  return <CodeEditor mode={modes[language]} label="Code to run" isNumbered onRun={run} {...rest} />
}
