import { json } from '@codemirror/lang-json'
import { CodeEditor } from '../../ui/editor/code-editor.tsx'

interface JsonTextProps {
  label: string
  text: string
  onChange: (text: string) => void
}

const mode = json()

export function JsonText({ label, ...rest }: JsonTextProps) {
  return <CodeEditor mode={mode} label={`${label}, as JSON`} {...rest} />
}
